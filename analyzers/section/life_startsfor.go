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

// startsFor finds goroutines that are started to work off a list which was found empty in
// one critical section and is added to in a later one: two goroutines can both find it
// empty and start one each, or the one that works it off ends in between.
//
//	first := q.empty()     // under q.mu
//	q.add(x)               // under q.mu, too
//	if first { go q.drain() }
func (s *search) startsFor() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || s.shared.Single(s.body) || !s.shared.Launched(s.body) && !s.shared.Entered(s.body) {
		return
	}
	if !slices.ContainsFunc(s.body.Events, func(events []accesses.Event) bool {
		return slices.ContainsFunc(events, func(ev accesses.Event) bool { return ev.Kind == accesses.OnGo })
	}) {
		return
	}
	for _, e := range s.order {
		if e.Mode != atomicity.Read || e.Kind == access.Atomic || !e.Var.Obj.IsField() || !isSlice(e.Var.Obj.Type()) && !isMap(e.Var.Obj.Type()) || e.lit || e.depth > 1 || !e.held.Any() || s.reachOf(e) < shared.Meant {
			continue
		}
		tests := s.testsOf(e.Access, true)
		if len(tests) == 0 {
			continue
		}
		for _, add := range s.order {
			if add.Mode != atomicity.Write || add.Var.Obj != e.Var.Obj || add.place.Root != e.place.Root || add.lit || add.later || add.depth > 1 || !s.adds(add) || s.oneHold(e, add) || s.oneHold(add, e) ||
				!s.leadsTo(e, add) || s.decided(tests, add.block) {
				continue
			}
			class := ""
			for _, l := range locksOf(e.held) {
				if add.held[add.lockOf(locks.ClassOf(l))] == locks.Exclusive {
					class = l.String()
				}
			}
			begin := s.startedWhere(tests, e)
			if class == "" || begin == nil {
				continue
			}
			if _, strong, _ := s.shared.RivalsAmong(s.body, e.Var, map[*accesses.Body]bool{s.body: true}); !strong {
				continue
			}
			c := s.direct("testuse", "unlock-relock", e.source(), e.Pos(), begin.Pos())
			c.Via = e.via
			c.Protected = class
			c.Roles = [2]string{"tested", "worked off by what starts"}
			c.Message = fmt.Sprintf("two goroutines can both find %s empty, before either adds to it, and start a goroutine each: %s is released in between", e.place, class)
			s.tell(c, e, add.source())
			return
		}
	}
}

// startedWhere is the go statement to which the tests lead, of a function that takes
// something out of the variable of e.
func (s *search) startedWhere(tests []int, e *occurrence) *ast.GoStmt {
	for block, events := range s.body.Events {
		for _, ev := range events {
			begin, ok := ev.Node.(*ast.GoStmt)
			if !ok || ev.Kind != accesses.OnGo || !s.decided(tests, block) {
				continue
			}
			b := s.begunBy(begin.Call)
			if b != nil && slices.ContainsFunc(s.stateOf(b).order, func(w *occurrence) bool {
				return w.Mode == atomicity.Write && w.Var.Obj == e.Var.Obj && !s.isGrowth(&occurrence{Access: w.source()})
			}) {
				return begin
			}
		}
	}
	return nil
}
