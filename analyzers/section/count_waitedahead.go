package section

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
)

// waitedAhead finds functions that wait for a sync.WaitGroup, and only then take the lock to set the
// flag which keeps others from counting themselves in, and to close the channel that those send on:
//
//	m.inputs.Wait()
//	m.mu.Lock(); close(m.out); m.closed = true; m.mu.Unlock()
//	…
//	m.mu.Lock()
//	if !m.closed { m.inputs.Add(1); go func() { defer m.inputs.Done(); m.out <- v }() }
//	m.mu.Unlock()
//
// Who counts itself in between the wait and the lock finds the flag down, and sends on the closed channel.
func (s *search) waitedAhead() {
	for _, wait := range s.groupCalls("Wait") {
		if wait.group == nil || !wait.group.IsField() || wait.held.Any() || s.shared.Constructing(s.body) && s.body.Func != nil {
			continue
		}
		root := s.pkg.PlaceOf(wait.on).Root
		for _, c := range s.closeCalls() {
			if c.channel.place.Root != root || c.call.Pos() < wait.call.Pos() || !c.held.Excludes() || s.lookedAt(c) != nil || len(s.asksAbout(c.block)) > 0 {
				continue
			}
			for _, set := range s.order {
				if set.Mode != atomicity.Write || set.via != nil || set.later || set.place.Root != root || !isFlag(set.Var) || !s.switches(set) || set.Pos() < wait.call.Pos() || !s.oneHold(c.channel, set) && !s.oneHold(set, c.channel) {
					continue
				}
				add, in := s.countsInUnset(wait.group, set, c)
				if add == nil {
					continue
				}
				if _, strong, _ := s.shared.RivalsAmong(s.body, set.Var, map[*accesses.Body]bool{in: true}); !strong && s.reachOf(set) < shared.Meant {
					continue
				}
				d := s.direct("testuse", "send-after-check", c.channel.Access, wait.call.Pos(), c.call.Pos())
				d.Roles = [2]string{"waited for", "closed"}
				d.Message = fmt.Sprintf("%s can count itself in between %s and here, where %s is set: %s is then closed, and what it sends panics",
					in.Fn.Name, types.ExprString(wait.call), set.place, types.ExprString(c.call.Args[0]))
				s.tell(d, c.channel, set.Access)
				return
			}
		}
	}
}

// countsInUnset is the call by which another function counts in the group, under a lock of the class under
// which the flag is set, in the critical section that has found it unset, where it starts what sends on
// the channel.
func (s *search) countsInUnset(group *types.Var, set *occurrence, c closeCall) (*ast.CallExpr, *accesses.Body) {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, b := range s.pkg.Bodies {
		if b.Outermost() == current.body.Outermost() || b.Func == nil {
			continue
		}
		s.bodyState = s.stateOf(b)
		for _, add := range s.groupCalls("Add") {
			if add.group != group || !s.sendsIn(b, c.channel.Var.Obj) {
				continue
			}
			for _, look := range s.order {
				if look.Var != set.Var || look.Mode != atomicity.Read || look.via != nil || !s.decided(s.testsOf(look.Access, false), add.block) || !s.holdsOn(look, add) {
					continue
				}
				for _, l := range locksOf(look.held) {
					if set.held[set.lockOf(locks.ClassOf(l))] == locks.Exclusive {
						return add.call, b
					}
				}
			}
		}
	}
	return nil, nil
}

// holdsOn says whether a lock that is held at the look is held at the call without interruption.
func (s *search) holdsOn(look *occurrence, add groupCall) bool {
	holds := false
	s.onward(look, func(block, index int, _ accesses.Event, kept locks.Set) bool {
		if block != add.block || index != add.index {
			return false
		}
		holds = kept.Any()
		return true
	})
	return holds
}

// sendsIn says whether the function, or a literal in it, sends on the channel.
func (s *search) sendsIn(b *accesses.Body, ch types.Object) bool {
	found := false
	ast.Inspect(b.Block, func(n ast.Node) bool {
		send, ok := n.(*ast.SendStmt)
		found = found || ok && types.Object(s.variable(send.Chan)) == ch
		return !found
	})
	return found
}
