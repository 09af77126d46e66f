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

// filledOver finds places in a list that are emptied under its lock, which is released then,
// mostly by the callee that has emptied them, and are filled once it is held again, without a
// look, where whoever looks for an empty place takes the first: it is filled by then. So it
// is of a field that another function fills where it finds it empty.
//
//	x.retireLocked(i)      // x.slots[i] = slot{}; x.mu.Unlock(); old.Close(); x.mu.Lock()
//	x.slots[i] = slot{c}   // elsewhere: if x.slots[j].conn == nil { x.slots[j] = slot{d} }
func (s *search) filledOver() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || s.shared.Single(s.body) {
		return
	}
	for _, w := range s.order {
		if !s.isFilling(w) || w.via != nil || !w.held.Any() {
			continue
		}
		for _, gone := range s.order {
			if gone == w || gone.Mode != atomicity.Write || gone.later || gone.lit || !gone.sameInstance(w) || indexText(gone) != indexText(w) || !s.isEmptying(gone) || !gone.held.Any() ||
				!s.leadsTo(gone, w) || s.reachOf(gone) == shared.Private || !s.givenUpAfter(gone, w) || s.lookedSince(gone, w) {
				continue
			}
			class := lockOfBoth(gone, w)
			if class == "" {
				continue
			}
			in := s.takesEmpty(w, class)
			if in == nil {
				continue
			}
			if _, strong, _ := s.shared.RivalsAmong(s.body, w.Var, map[*accesses.Body]bool{s.body: true}); !strong {
				continue
			}
			c := s.direct("testuse", "unlock-relock", gone.source(), gone.Pos(), w.Pos())
			if gone.via != nil {
				c.Pos, c.Via, c.Within = gone.via.Pos(), gone.via, gone.where()
			}
			c.Protected = w.lockOf(class).String()
			c.Roles = [2]string{"emptied", "filled"}
			c.Message = fmt.Sprintf("%s is filled after %s was released since it was emptied: by then another goroutine can have found it empty (%s) and filled it",
				types.ExprString(w.Expr), c.Protected, in.Fn.Name)
			s.tell(c, gone, w.Access)
			return
		}
	}
}

// isFilling says whether the write puts something other than nothing into an element of a
// list, or into a field that refers to something.
func (s *search) isFilling(w *occurrence) bool {
	if w.Mode != atomicity.Write || w.Kind != access.Element && (w.Kind != access.Cell || !w.Var.Obj.IsField() || !dangerous(w.Access) || isSlice(w.Var.Obj.Type())) || w.Update != nil || w.later {
		return false
	}
	values := stored(w.source())
	return len(values) == 1 && !s.isNothing(values[0])
}

func (s *search) isEmptying(w *occurrence) bool {
	values := stored(w.source())
	return len(values) == 1 && s.isNothing(values[0])
}

func (s *search) isNothing(e ast.Expr) bool {
	return s.pkg.Info.Types[e].IsNil() || isEmptyStruct(s.values.underlying(e), e) || s.unsets(e)
}

// indexText is the index of the element, in terms of the body searched.
func indexText(o *occurrence) string {
	_, index, _ := strings.Cut(o.place.Path, "[")
	return index
}

// givenUpAfter says whether the lock is released between the two, or by the callee that makes
// the first, once it has.
func (s *search) givenUpAfter(gone, w *occurrence) bool {
	if gone.via == nil {
		return !s.oneHold(gone, w)
	}
	b := s.pkg.ByFunc[s.locks.Callee(gone.via)]
	if b == nil || s.states[b] == nil {
		return false
	}
	current := s.bodyState
	defer func() { s.bodyState = current }()
	s.bodyState = s.states[b]
	first := s.occ[gone.source()]
	if first == nil {
		return false
	}
	for block, events := range b.Events {
		for index, ev := range events {
			at := &occurrence{Access: &access.Access{}, block: block, index: index}
			for _, op := range s.locks.Ops(ev) {
				if op.Kind != locks.Acquire && first.held.Holds(op.Lock) && s.locks.Entry(b).Holds(op.Lock) && s.leadsTo(first, at) {
					return true
				}
			}
		}
	}
	return false
}

// lookedSince says whether the list, or what is in an element of it, is read and tested
// between the two.
func (s *search) lookedSince(gone, w *occurrence) bool {
	return slices.ContainsFunc(s.order, func(r *occurrence) bool {
		return r.Mode == atomicity.Read && r.place.Root == w.place.Root && s.leadsTo(gone, r) && s.leadsTo(r, w) && r.via != gone.via && s.decided(s.testsOf(r.Access, false), w.block)
	})
}

// takesEmpty is a function that looks, under a lock of the class, for an element in which a field is
// unset.
func (s *search) takesEmpty(w *occurrence, class string) *accesses.Body {
	if w.Kind == access.Cell {
		return s.fillsWhereEmpty(w, class)
	}
	list, ok := w.Var.Obj.Type().Underlying().(*types.Slice)
	elem := types.Type(nil)
	if ok {
		elem = list.Elem()
	} else if array, ok := w.Var.Obj.Type().Underlying().(*types.Array); ok {
		elem = array.Elem()
	}
	if elem == nil {
		return nil
	}
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, b := range s.pkg.Bodies {
		s.bodyState = s.states[b]
		if s.shared.Constructing(b) {
			continue
		}
		for _, r := range s.order {
			if r.Mode != atomicity.Read || r.via != nil || !r.lockOf(class).Valid() {
				continue
			}
			if r.Var.Obj == w.Var.Obj && s.walksForEmpty(r) {
				return b
			}
			if !s.isWithin(r, w, elem) {
				continue
			}
			for _, test := range s.testsOf(r.Access, true) {
				for _, cond := range s.body.Conds[test] {
					for _, holds := range []bool{true, false} {
						if slices.ContainsFunc(surely(cond, holds), func(p part) bool { return s.unsetEdge(p.cond, r.Access) >= 0 }) {
							return b
						}
					}
				}
			}
		}
	}
	return nil
}

// isWithin says whether r reads an element of the list that w writes, or a field of one.
func (s *search) isWithin(r, w *occurrence, elem types.Type) bool {
	if r.Var == w.Var {
		return true
	}
	sel, ok := ast.Unparen(r.Expr).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	x, ok := ast.Unparen(sel.X).(*ast.IndexExpr)
	if !ok {
		return false
	}
	of, ok := ast.Unparen(x.X).(*ast.SelectorExpr)
	return ok && s.pkg.Info.ObjectOf(of.Sel) == types.Object(w.Var.Obj) && types.Identical(s.pkg.Info.TypeOf(x), elem)
}

// walksForEmpty says whether a loop over the list that r reads asks whether a field of the
// element, or the element itself, is unset.
func (s *search) walksForEmpty(r *occurrence) bool {
	found := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		loop, ok := n.(*ast.RangeStmt)
		if !ok || found || ast.Unparen(loop.X) != ast.Unparen(r.Expr) {
			return !found
		}
		id, ok := loop.Value.(*ast.Ident)
		if !ok {
			return true
		}
		elem := s.pkg.Info.ObjectOf(id)
		ast.Inspect(loop.Body, func(n ast.Node) bool {
			branch, ok := n.(*ast.IfStmt)
			if !ok {
				return true
			}
			for _, holds := range []bool{true, false} {
				for _, p := range surely(branch.Cond, holds) {
					of := sides(p.cond)
					found = found || slices.ContainsFunc(of, func(e ast.Expr) bool { return s.mentions(e, elem) }) && (len(of) == 1 || slices.ContainsFunc(of, s.unsets))
				}
			}
			return true
		})
		return true
	})
	return found
}

// fillsWhereEmpty is another function that fills the field of w where it finds it empty, in one
// critical section, and asks for nothing else that the body of w changes.
func (s *search) fillsWhereEmpty(w *occurrence, class string) *accesses.Body {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, b := range s.pkg.Bodies {
		if b.Outermost() == current.body.Outermost() || s.shared.Constructing(b) || !s.shared.Launched(b) && !s.shared.Entered(b) {
			continue
		}
		s.bodyState = s.states[b]
		for _, fills := range s.order {
			if fills.Var != w.Var || fills.via != nil || !s.isFilling(fills) || !fills.lockOf(class).Valid() {
				continue
			}
			empty, more := false, false
			for _, r := range s.order {
				if r.Mode != atomicity.Read || r.place.Root != fills.place.Root || !s.decided(s.testsOf(r.Access, false), fills.block) {
					continue
				}
				mine := r.Var == w.Var && r.via == nil && s.oneHold(r, fills) && s.finds(r, fills, false)
				empty, more = empty || mine, more || !mine && slices.ContainsFunc(current.order, func(o *occurrence) bool { return o.Var == r.Var && o.Mode == atomicity.Write })
			}
			if empty && !more {
				return b
			}
		}
	}
	return nil
}
