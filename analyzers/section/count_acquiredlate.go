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

// acquiredLate finds objects with a count of their users that are fetched from an atomic pointer,
// or from a field under its lock, and counted in afterwards, while another function puts another
// object in their place and counts itself out, which ends the object when nobody is left:
//
//	v := x.cur.Load()
//	v.refs.Add(1)       // Set: old := x.cur.Swap(next); if old.refs.Add(-1) == 0 { old.close() }
//
// In between, the count can have fallen to zero.
func (s *search) acquiredLate() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) {
		return
	}
	for _, up := range s.order {
		v, ok := up.place.Root.(*types.Var)
		if !ok || up.Kind != access.Atomic || up.depth > 1 || up.lit || up.later || v.IsField() || s.step(up) <= 0 || !alone(up.source()) {
			continue
		}
		for _, look := range s.order {
			if look.Mode != atomicity.Read || look.lit || look.depth > 1 || look.Kind != access.Atomic && (look.Kind != access.Cell || !look.held.Any()) || !look.Var.Obj.IsField() || look.Var.Contents ||
				!slices.Contains(s.holding(look), types.Object(v)) || !s.leadsTo(look, up) || s.oneHold(look, up) || s.reachOf(look) == shared.Private || s.looksOnceMore(look, up) {
				continue
			}
			if look.Kind == access.Atomic && look.held.Any() {
				continue // the lock may be there for just that
			}
			swap, in := s.replacedAndLeft(look, up.Var)
			if swap == nil {
				continue
			}
			c := s.direct("testuse", "atomic-check-then-act", look.source(), look.Pos(), up.Pos())
			c.Via, c.EndVia = look.via, up.via
			c.Roles = [2]string{"fetched", "counted in"}
			c.Message = fmt.Sprintf("%s can replace what is fetched from %s here and count itself out before %s is counted in: nobody is left then, and what it holds is ended while it is used", in.Name, look.place, v.Name())
			s.tell(c, look, swap.Access)
			return
		}
	}
}

// looksOnceMore says whether the pointer is read once more after the object was counted in.
func (s *search) looksOnceMore(look, up *occurrence) bool {
	return slices.ContainsFunc(s.order, func(o *occurrence) bool {
		return o != look && o.Var == look.Var && s.leadsTo(up, o)
	})
}

// replacedAndLeft is where another function stores another object in place of what look reads,
// and then counts one user out, with a lock that look has held as well if it held any; and what
// is left with no user is ended.
func (s *search) replacedAndLeft(look *occurrence, count access.Var) (*occurrence, *access.Function) {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	leaves := s.endsUncounted(count)
	if len(leaves) == 0 {
		return nil, nil
	}
	for _, swap := range s.ownAccesses(look.Var) {
		if swap.Mode != atomicity.Write || swap.body.Outermost() == current.body.Outermost() || swap.Kind != look.Kind {
			continue
		}
		if look.held.Any() && !slices.ContainsFunc(swap.held.Places(), func(l accesses.Place) bool {
			return swap.held[l] == locks.Exclusive && look.lockOf(locks.ClassOf(l)).Valid()
		}) {
			continue
		}
		s.bodyState = s.states[swap.body]
		if s.leavesAfter(swap.occurrence, leaves) {
			return swap.occurrence, swap.body.Fn
		}
	}
	return nil, nil
}

// leavesAfter says whether control comes from the swap to one of the subtractions, or to a call of
// a function that makes one on what a local points to.
func (s *search) leavesAfter(swap *occurrence, leaves []placed) bool {
	for block, events := range s.body.Events {
		for index, ev := range events {
			call, ok := ev.Node.(*ast.CallExpr)
			if !ok || ev.Kind != accesses.OnCall || !s.leadsTo(swap, &occurrence{Access: &access.Access{}, block: block, index: index}) {
				continue
			}
			if slices.ContainsFunc(leaves, func(down placed) bool {
				if down.Expr == ast.Expr(call) {
					return true
				}
				on := s.receiverOf(call)
				return down.body.Func != nil && s.locks.Callee(call) == down.body.Func && on.Path == "" && on.Root != swap.place.Root
			}) {
				return true
			}
		}
	}
	return false
}

// endsUncounted are the subtractions from the count that give something up where they have left
// it at zero.
func (s *search) endsUncounted(count access.Var) []placed {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	var list []placed
	for _, down := range s.ownAccesses(count) {
		s.bodyState = s.states[down.body]
		if down.Mode == atomicity.Write && s.step(down.occurrence) < 0 && (&finding{search: s, entry: down.occurrence}).endsAtZero(down.occurrence) {
			list = append(list, down)
		}
	}
	return list
}
