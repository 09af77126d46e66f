package section

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// givenBackTwice finds atomic flags that a function takes by CompareAndSwap and gives back when it
// returns, by a call that it has deferred, where it gives them back by hand as well on one of its
// ways:
//
//	if !s.busy.CompareAndSwap(false, true) { return }
//	defer s.busy.Store(false)
//	if s.paused() {
//		s.busy.Store(false)
//		return
//	}
//
// Between the two another goroutine takes the flag, and the deferred call gives back what is not its
// own any more: a third one comes in beside the second.
func (s *search) givenBackTwice() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) {
		return
	}
	for _, taken := range s.order {
		if taken.Kind != access.Atomic || taken.via != nil || !strings.HasPrefix(taken.Method, "CompareAndSwap") || s.reachOf(taken) == shared.Private {
			continue
		}
		values := stored(taken.Access)
		if len(values) != 2 || s.sameConstant(values[0], values[1]) {
			continue
		}
		for _, last := range s.order {
			if s.deferral(last) == nil || !s.givesBack(last, taken, values[0]) || !s.leadsTo(taken, last) {
				continue
			}
			for _, store := range s.order {
				if s.deferral(store) != nil || store.later || !s.givesBack(store, taken, values[0]) || !s.leadsTo(last, store) || !s.whenever(last.block, store.block) || s.takenAnew(store, taken) {
					continue
				}
				c := s.direct("testuse", "atomic-check-then-act", store.Access, store.Pos(), last.Pos())
				c.Via, c.EndVia = store.via, last.via
				c.Roles = [2]string{"given back", "given back again at the end"}
				c.Message = fmt.Sprintf("%s is given back here, and once more by the deferred call when the function returns: another goroutine can have taken it by CompareAndSwap in between, and loses it",
					types.ExprString(taken.Cell))
				s.tell(c, store, last.source())
				return
			}
		}
	}
}

// deferral is the statement by which the access is made when the function returns; or nil.
func (s *search) deferral(o *occurrence) *ast.DeferStmt {
	if d, ok := o.Stmt.(*ast.DeferStmt); ok && o.via == nil {
		return d
	}
	if o.via == nil || !o.later || o.origin == nil {
		return nil
	}
	if b := s.pkg.ByNode[o.origin.Scope]; b == nil || s.mayLeaveOut(b, o.origin) {
		return nil
	}
	for _, ev := range s.body.Events[o.block] {
		if d, ok := ev.Node.(*ast.DeferStmt); ok && d.Call == o.via {
			return d
		}
	}
	return nil
}

// mayLeaveOut says whether something decides in the body whether it makes the access.
func (s *search) mayLeaveOut(b *accesses.Body, a *access.Access) (may bool) {
	s.inState(b, func() {
		o := s.occ[a]
		may = o == nil || s.anyDecides(o.block)
	})
	return may
}

// givesBack says whether the occurrence stores in the flag, whatever it is by then, what it was
// before it was taken.
func (s *search) givesBack(o, taken *occurrence, free ast.Expr) bool {
	values := stored(o.source())
	return len(values) == 1 && o.Kind == access.Atomic && o.Mode == atomicity.Write && strings.HasPrefix(o.source().Method, "Store") && o.sameInstance(taken) && s.sameConstant(values[0], free)
}

// whenever says whether what decides that control comes to the first block decides that it comes to
// the second one, too.
func (s *search) whenever(first, then int) bool {
	for test, conds := range s.body.Conds {
		if conds == nil || test == first {
			continue
		}
		if yes, edge := s.decides(test, first); yes {
			if also, same := s.decides(test, then); !also || same != edge {
				return false
			}
		}
	}
	return true
}

// takenAnew says whether the flag may be taken again after it was given back.
func (s *search) takenAnew(store, taken *occurrence) bool {
	for _, o := range s.order {
		if o.Var == taken.Var && o.Mode == atomicity.Write && o.Access != store.Access && s.deferral(o) == nil && s.leadsTo(store, o) {
			return true
		}
	}
	return false
}
