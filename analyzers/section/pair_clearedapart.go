package section

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// clearedApart finds functions that replace what the entries of a map are made with in one
// critical section, and empty the map in another: in between, somebody is given an entry of the
// old kind, or one of the new kind that is thrown away although it is in use; and where the map
// is emptied first, an entry of the old kind that is made in between stays for good.
//
//	mu.Lock(); x.open = open; mu.Unlock(); x.Clear()                            // mu.Lock(); x.m = map[K]V{}; mu.Unlock()
//	mu.Lock(); defer mu.Unlock(); if x.m[k] == nil { x.m[k] = x.open(k) }; …    // another function
func (s *search) clearedApart() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || s.shared.SetsGoing(s.body) && !resets(s.body) || !s.shared.Launched(s.body) && !s.shared.Entered(s.body) {
		return
	}
	for _, e := range s.order {
		if e.Mode != atomicity.Write || e.depth > 1 || ownHold(e) != locks.Exclusive || s.reachOf(e) < shared.Meant {
			continue
		}
		done := false
		s.later(e, func(o *occurrence) {
			if done || ownHold(o) != locks.Exclusive || o.depth > 1 || s.awaits(e, o) {
				return
			}
			setting, emptied := e, o
			if s.empties(e) {
				setting, emptied = o, e
			}
			if !s.partStored(setting) || !s.empties(emptied) || s.emptiesToo(setting, emptied) {
				return
			}
			maker := s.makesWith(setting.Var, emptied.Var)
			if maker == nil || maker.Outermost() == s.body.Outermost() || setting == e && !(isFunc(setting.Var) && hasIdentity(emptied.Var)) {
				return
			}
			if _, strong, _ := s.shared.RivalsAmong(s.body, emptied.Var, map[*accesses.Body]bool{maker: true}); !strong {
				return
			}
			done = true
			c := s.direct("multivar", "multi-variable", e.source(), e.Pos(), o.Pos())
			c.Via, c.EndVia = e.via, o.via
			c.EndName = s.pkg.Name(o.source().Var)
			c.Roles = [2]string{"replaced", "emptied later"}
			gets := "hands out an entry of before, or one that is thrown away at once, if it comes in between"
			if setting == o {
				c.Roles = [2]string{"emptied", "replaced later"}
				gets = "makes an entry with the old one if it comes in between, and that stays"
			}
			c.Message = fmt.Sprintf("%s is replaced in one critical section and %s emptied in another; %s, which makes entries with it, %s",
				s.pkg.Name(setting.Var), s.pkg.Name(emptied.Var), maker.Fn.Name, gets)
			s.tell(c, e, o.source())
		})
	}
}

// resets says whether the body is of a method that puts an object back which is in use: what it
// empties was filled before, other than where something is started.
func resets(b *accesses.Body) bool {
	fn := b.Outermost().Func
	return fn != nil && strings.HasPrefix(strings.ToLower(fn.Name()), "reset")
}

// empties says whether the write leaves a map of the object with nothing in it.
func (s *search) empties(w *occurrence) bool {
	if w.Mode != atomicity.Write || w.lit || w.later || !w.Var.Obj.IsField() {
		return false
	}
	if _, isMap := w.Var.Obj.Type().Underlying().(*types.Map); !isMap {
		return false
	}
	if w.source().Method == "clear" {
		return true
	}
	values := stored(w.source())
	if len(values) != 1 {
		return false
	}
	switch v := ast.Unparen(values[0]).(type) {
	case *ast.CallExpr:
		id, ok := v.Fun.(*ast.Ident)
		return ok && id.Name == "make"
	case *ast.CompositeLit:
		return len(v.Elts) == 0
	}
	return false
}

// emptiesToo says whether the map is emptied in the critical section in which the setting is
// replaced as well.
func (s *search) emptiesToo(setting, emptied *occurrence) bool {
	return slices.ContainsFunc(s.order, func(o *occurrence) bool {
		return o != emptied && o.Var.Obj == emptied.Var.Obj && s.empties(o) && (s.oneHold(o, setting) || s.oneHold(setting, o))
	})
}

// makesWith is a body that puts entries into the map which it makes with the setting, both under
// one lock of the object.
func (s *search) makesWith(setting, emptied access.Var) *accesses.Body {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, b := range s.pkg.Bodies {
		if s.shared.Constructing(b) {
			continue
		}
		s.bodyState = s.states[b]
		for _, put := range s.order {
			if put.Var.Obj != emptied.Obj || put.Mode != atomicity.Write || put.Kind != access.MapElement || put.via != nil || put.source().Method == "delete" || ownHold(put) != locks.Exclusive {
				continue
			}
			values := stored(put.Access)
			if len(values) != 1 {
				continue
			}
			for _, r := range s.order {
				if r.Var == setting && r.Mode == atomicity.Read && r.via == nil && r.place.Object() == put.place.Object() && s.madeBy(values[0], r) && s.oneHold(r, put) {
					return b
				}
			}
		}
	}
	return nil
}

// madeBy says whether e is a call of what was read, or one that is given it, or what such a call
// has returned.
func (s *search) madeBy(e ast.Expr, r *occurrence) bool {
	if id, ok := ast.Unparen(e).(*ast.Ident); ok {
		for _, a := range s.values.assigns[s.pkg.Info.ObjectOf(id)] {
			if call, ok := ast.Unparen(a.value).(*ast.CallExpr); ok && s.madeBy(call, r) {
				return true
			}
		}
		return false
	}
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	return ok && call.Pos() <= r.Pos() && r.Pos() < call.End()
}

func isFunc(v access.Var) bool {
	_, ok := v.Obj.Type().Underlying().(*types.Signature)
	return ok
}

// hasIdentity says whether the elements of the map are objects of which there should be one for
// a key, and not just values.
func hasIdentity(v access.Var) bool {
	m, ok := v.Obj.Type().Underlying().(*types.Map)
	if !ok {
		return false
	}
	switch m.Elem().Underlying().(type) {
	case *types.Pointer, *types.Interface, *types.Chan:
		return true
	}
	return false
}
