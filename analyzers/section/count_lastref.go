package section

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// lastReference finds objects that are taken out of a map under its lock because an
// atomic count of their users has fallen to zero before the lock was taken, while
// others find them in the map and count themselves in under that lock: in between, the
// object has a user again.
func (s *search) lastReference() {
	met := s.shared.Launched(s.body) || s.shared.Entered(s.body) || s.shared.Spawned(s.body)
	for _, down := range s.order {
		if down.Kind != access.Atomic || down.via != nil || s.step(down) >= 0 {
			continue
		}
		tests := s.testsOf(down.Access, false)
		for _, gone := range s.order {
			if gone.Mode != atomicity.Write || gone.Method != "delete" || gone.via != nil || !s.decided(tests, gone.block) || !s.leadsTo(down, gone) {
				continue
			}
			if r := s.reachOf(gone); r == shared.Private && s.reachOf(down) == shared.Private || !met && r < shared.Meant {
				continue
			}
			for _, l := range gone.held.Places() {
				class := locks.ClassOf(l)
				if gone.held[l] != locks.Exclusive || down.held.Holds(l) || s.countedAgain(down, gone) {
					continue
				}
				up, in := s.countsIn(down.Var, gone.Var, class)
				if up == nil || slices.ContainsFunc(down.held.Places(), func(o accesses.Place) bool { return up.lockOf(locks.ClassOf(o)).Valid() }) {
					continue
				}
				c := s.direct("testuse", "atomic-check-then-act", down.Access, down.Pos(), gone.Pos())
				c.Message = fmt.Sprintf("%s has fallen to zero, but another goroutine can find the object in %s and count itself in, in %s, before %s is taken here: what it uses is then removed",
					types.ExprString(down.Cell), types.ExprString(gone.Cell), in, l)
				s.tell(c, down, gone.Access)
				return
			}
		}
	}
}

// step is by how much the atomic operation changes the count: 1, -1, or 0 if it is
// something else or not known.
func (s *search) step(o *occurrence) int {
	switch o.Method {
	case "Inc":
		return 1
	case "Dec":
		return -1
	}
	values := stored(o.source())
	if !adds(o.Access) || o.Method == "Sub" || len(values) != 1 {
		return 0
	}
	if tv := s.pkg.Info.Types[values[0]]; tv.Value != nil && tv.Value.Kind() == constant.Int {
		sign := constant.Sign(tv.Value)
		if x, exact := constant.Uint64Val(tv.Value); exact && (x == 1<<32-1 || x == 1<<64-1) {
			return -1 // AddUint32(&n, ^uint32(0))
		}
		return sign
	}
	if u, ok := ast.Unparen(values[0]).(*ast.UnaryExpr); ok && u.Op == token.SUB {
		return -1
	}
	return 0
}

// countedAgain says whether the count is looked at once more before the removal.
func (s *search) countedAgain(down, gone *occurrence) bool {
	for _, o := range s.order {
		if o != down && o.Var == down.Var && o.held.Any() && s.leadsTo(down, o) && s.leadsTo(o, gone) {
			return true
		}
	}
	return false
}

// countsIn finds a function, perhaps this one, that looks into the map under a lock of the
// class and, still under it or later, adds to the count.
func (s *search) countsIn(count, of access.Var, class string) (*occurrence, string) {
	for _, b := range s.pkg.Bodies {
		if s.shared.Constructing(b) {
			continue
		}
		for _, up := range s.states[b].order {
			if up.Var != count || s.step(up) <= 0 || up.via != nil && !up.lockOf(class).Valid() {
				continue
			}
			for _, look := range s.states[b].order {
				if look.Var == of && look.Mode == atomicity.Read && look.Pos() < up.Pos() && look.lockOf(class).Valid() {
					return up, b.Fn.Name
				}
			}
		}
	}
	return nil, ""
}
