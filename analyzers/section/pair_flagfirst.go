package section

import (
	"fmt"
	"go/ast"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// flagFirst finds flags that are set for good in one critical section, and results that
// belong to them in a later one, where others return both as they are in one; and values
// with their versions:
//
//	t.mu.Lock(); t.done = true; t.mu.Unlock()
//	t.mu.Lock(); t.err = err; t.mu.Unlock()    // Status: return t.done, t.err
func (s *search) flagFirst() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || s.body.Func == nil {
		return
	}
	for _, flag := range s.order {
		mark := isFlag(flag.Var)
		if !s.setsField(flag) || mark && !s.raises(flag) || !mark && s.tellsPeople() {
			continue
		}
		for _, w := range s.order {
			if !s.setsField(w) || isFlag(w.Var) || !w.place.Beside(flag.place) ||
				!s.leadsTo(flag, w) || s.leadsTo(w, flag) || s.oneHold(flag, w) {
				continue
			}
			if mark && s.storesResult(w) && s.ahead(flag, w) {
				return
			}
			if !s.onlySetIn(w, false) || !s.onlySetIn(flag, mark) {
				continue
			}
			if mark && !s.storesResult(w) || !mark && !s.storesPair(flag, w) {
				continue
			}
			for _, l := range locksOf(flag.held) {
				class := locks.ClassOf(l)
				if l.Root != flag.place.Root || flag.held[l] != locks.Exclusive || !w.lockOf(class).Valid() {
					continue
				}
				both, in := s.returnsBoth(flag.Var, w.Var, class)
				if both == nil {
					continue
				}
				c := s.direct("multivar", "multi-variable", flag.source(), flag.Pos(), w.Pos())
				c.Via, c.EndVia = flag.via, w.via
				c.EndName = s.pkg.Name(w.Var)
				c.Roles = [2]string{"set", "set later"}
				c.Message = fmt.Sprintf("%s is set in an earlier critical section than %s: %s, which returns both, can say that it is done without what has come of it", flag.place, w.place, in.Name)
				if !mark {
					c.Message = fmt.Sprintf("%s is set in an earlier critical section than %s: %s, which returns both, can return the one without the other", flag.place, w.place, in.Name)
				}
				s.tell(c, flag, w.source())
				return
			}
		}
	}
}

// storesResult says whether w gives the field a value, other than one that means there is
// none.
func (s *search) storesResult(w *occurrence) bool {
	values := w.stored()
	return w.source().Update == nil && len(values) > 0 && !s.unsets(values[0])
}

// storesPair says whether the one is given a new value and the other one, a version of it,
// counted up, both on every way through the function.
func (s *search) storesPair(e, o *occurrence) bool {
	for _, way := range [][2]*occurrence{{e, o}, {o, e}} {
		value, version := way[0], way[1]
		if value.source().Update == nil && s.storesResult(value) && direction(version) > 0 && !isNumber(value.Var) && s.alwaysBoth(e, o) {
			return true
		}
	}
	return false
}

// alwaysBoth says whether control that comes to e comes to o in any case.
func (s *search) alwaysBoth(e, o *occurrence) bool {
	if e.block == o.block {
		return e.index < o.index
	}
	for _, succ := range s.body.CFG.Blocks[e.block].Succs {
		for i, reached := range s.reaches(succ, o.block) {
			if b := s.body.CFG.Blocks[i]; reached && i != o.block && len(b.Succs) == 0 && !s.panics(b) {
				return false
			}
		}
	}
	return true
}

// setsField says whether w stores in a field of an object, under a lock.
func (s *search) setsField(w *occurrence) bool {
	return w.Mode == atomicity.Write && w.Kind == access.Cell && w.Var.Obj.IsField() && !w.Var.Contents && !w.lit && !w.later && w.depth <= 1 && w.place.Valid() && w.held.Any() && s.reachOf(w) != shared.Private
}

// stored are the values that w stores, the arguments if a callee does it.
func (o *occurrence) stored() []ast.Expr {
	if o.via != nil && len(o.stores) > 0 {
		return o.stores
	}
	return stored(o.source())
}

// onlySetIn says whether no function but the body, and the one by which it does so, writes
// the variable of o: or, for a flag, none sets it back.
func (s *search) onlySetIn(o *occurrence, back bool) bool {
	var by *accesses.Body
	if o.via != nil {
		by = s.pkg.ByFunc[s.locks.Callee(o.via)]
	}
	return !slices.ContainsFunc(s.ownAccesses(o.Var), func(w placed) bool {
		return w.Mode == atomicity.Write && w.body.Outermost() != s.body.Outermost() && w.body != by && (!back || !s.raises(w.occurrence))
	})
}

// returnsBoth is where another function returns both variables in one statement, under a
// lock of the class.
func (s *search) returnsBoth(flag, v access.Var, class string) (*occurrence, *access.Function) {
	for _, b := range s.pkg.Bodies {
		if b.Outermost() == s.body.Outermost() || s.shared.Constructing(b) || !s.accessors(flag.Obj)[b] {
			continue
		}
		for _, o := range s.states[b].order {
			ret, ok := o.Stmt.(*ast.ReturnStmt)
			if !ok || o.Var != flag || o.Mode != atomicity.Read || o.via != nil || !o.lockOf(class).Valid() {
				continue
			}
			if slices.ContainsFunc(s.states[b].order, func(p *occurrence) bool {
				return p.Var == v && p.Mode == atomicity.Read && p.via == nil && p.Stmt == ast.Stmt(ret) && p.place.Root == o.place.Root
			}) {
				return o, b.Fn
			}
		}
	}
	return nil, nil
}
