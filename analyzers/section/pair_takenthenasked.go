package section

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// takenThenAsked finds loops that take in one critical section what has been collected for them, and
// ask in a later one whether anything is to come still, where others add the last of it and say so in
// one critical section:
//
//	for {
//		q.mu.Lock(); list := q.list; q.list = nil; q.mu.Unlock()
//		write(list)
//		q.mu.Lock(); open := len(q.open); q.mu.Unlock()
//		if open == 0 { return }  // reply: q.list = append(q.list, x); delete(q.open, id)
//		<-q.news
//	}
//
// What is added between the two is never taken.
func (s *search) takenThenAsked() {
	if s.shared.Constructing(s.body) {
		return
	}
	for _, take := range s.order {
		class := s.takesAll(take)
		if class == "" || s.reachOf(take) == shared.Private {
			continue
		}
		for _, ask := range s.order {
			if ask.Mode != atomicity.Read || ask.via != nil || ask.Var == take.Var || !ask.Var.Obj.IsField() || ask.place.Root != take.place.Root ||
				!ask.lockOf(class).Valid() || !s.leadsTo(take, ask) || !s.apart(take, ask.block, ask.index) || !s.endsUntaken(take, ask) {
				continue
			}
			adder := s.addsTheLast(take, ask, class)
			if adder == nil {
				continue
			}
			if _, strong, _ := s.shared.RivalsAmong(s.body, take.Var, map[*accesses.Body]bool{adder: true}); !strong {
				continue
			}
			c := s.direct("multivar", "multi-variable", take.Access, take.Pos(), ask.Pos())
			c.EndName = s.pkg.Name(ask.Var)
			c.Roles = [2]string{"taken", "asked"}
			c.Message = fmt.Sprintf("%s is emptied here, and %s asked in a later critical section whether more is to come: %s adds to the one and changes the other in one, and what it adds in between is never taken",
				take.place, ask.place, adder.Fn.Name)
			s.tell(c, take, ask.Access)
			return
		}
	}
}

// takesAll is the class of the lock under which the write empties a list or map that the body has read
// in the same critical section; "" if it is none.
func (s *search) takesAll(w *occurrence) string {
	values := stored(w.Access)
	if w.Mode != atomicity.Write || w.Kind != access.Cell || w.via != nil || len(values) != 1 || !isContainer(w.Var.Obj.Type()) || !w.place.Valid() || !s.isEmptied(values[0]) {
		return ""
	}
	if !slices.ContainsFunc(s.order, func(o *occurrence) bool {
		return o.Mode == atomicity.Read && o.via == nil && o.sameInstance(w) && s.oneHold(o, w)
	}) {
		return ""
	}
	for _, l := range locksOf(w.held) {
		if w.held[l] == locks.Exclusive {
			return locks.ClassOf(l)
		}
	}
	return ""
}

// isEmptied says whether e is nil, s[:0], a literal without elements, or made afresh.
func (s *search) isEmptied(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.SliceExpr:
		return e.Low == nil && e.High != nil && s.zero(e.High)
	case *ast.CompositeLit:
		return len(e.Elts) == 0
	case *ast.CallExpr:
		id, ok := ast.Unparen(e.Fun).(*ast.Ident)
		if !ok {
			return false
		}
		b, ok := s.pkg.Info.Uses[id].(*types.Builtin)
		return ok && b.Name() == "make"
	}
	return s.zero(e)
}

// endsUntaken says whether a test of what was asked leads on one way back to the taking, and on the
// other one to the end without another look at what is to be taken.
func (s *search) endsUntaken(take, ask *occurrence) bool {
	if slices.ContainsFunc(s.order, func(o *occurrence) bool {
		return o != take && o.Var == take.Var && (s.oneHold(o, ask) || s.oneHold(ask, o))
	}) {
		return false
	}
	for _, test := range s.testsOf(ask.Access, true) {
		succs := s.body.CFG.Blocks[test].Succs
		if len(succs) != 2 {
			continue
		}
		for edge := range succs {
			back, out := s.reaches(succs[edge], test), s.reaches(succs[1-edge], test)
			if back[take.block] && !slices.ContainsFunc(s.order, func(o *occurrence) bool { return o.Var == take.Var && out[o.block] }) {
				return true
			}
		}
	}
	return false
}

// addsTheLast is a body that adds to what is taken and changes what is asked in one critical section
// under a lock of the class: it sets a flag, deletes an entry, or counts down.
func (s *search) addsTheLast(take, ask *occurrence, class string) *accesses.Body {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, b := range s.pkg.Bodies {
		if b.Outermost() == current.body.Outermost() || s.shared.Constructing(b) {
			continue
		}
		s.bodyState = s.states[b]
		for _, add := range s.order {
			if add.Var != take.Var || add.Mode != atomicity.Write || add.via != nil || !s.isGrowth(add) || add.heldAs(class) != locks.Exclusive {
				continue
			}
			for _, w := range s.order {
				if w.Var.Obj == ask.Var.Obj && w.Mode == atomicity.Write && w.via == nil && w.place.Root == add.place.Root && s.fewer(w) && (s.oneHold(add, w) || s.oneHold(w, add)) {
					return b
				}
			}
		}
	}
	return nil
}

// fewer says whether the write sets a flag, deletes an entry of a map, or counts down.
func (s *search) fewer(w *occurrence) bool {
	if isFlag(w.Var) {
		values := stored(w.Access)
		return len(values) == 1 && s.pkg.Info.Types[values[0]].Value != nil
	}
	return w.source().Method == "delete" || direction(w) < 0
}
