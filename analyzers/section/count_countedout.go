package section

import (
	"fmt"
	"go/ast"
	"go/token"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// countedOut finds counts that are changed in one critical section and compared with a
// constant in a later one, to close a channel: the last two who count themselves out can
// both find the count at its end.
//
//	g.mu.Lock(); g.n--; g.mu.Unlock()
//	if g.left() == 0 { close(g.done) }    // left holds g.mu for itself
func (s *search) countedOut() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || s.shared.Single(s.body) || len(s.closeCalls()) == 0 {
		return
	}
	for _, step := range s.order {
		if step.Mode != atomicity.Write || step.Kind != access.Cell || step.lit || step.later || step.depth > 1 || !step.place.Valid() || direction(step) == 0 || !step.held.Any() || s.reachOf(step) < shared.Implied {
			continue
		}
		for _, look := range s.order {
			if look.Mode != atomicity.Read || look.Var != step.Var || look.place != step.place || look.depth > 1 || !look.held.Any() || look.Update != nil || !s.leadsTo(step, look) || s.oneHold(step, look) {
				continue
			}
			closed := s.closedAt(look)
			if closed == nil || s.countsInHold(look) {
				continue
			}
			class := ""
			for _, l := range locksOf(step.held) {
				if step.held[l] == locks.Exclusive && look.lockOf(locks.ClassOf(l)).Valid() {
					class = l.String()
				}
			}
			if class == "" {
				continue
			}
			if _, strong, _ := s.shared.RivalsAmong(s.body, step.Var, map[*accesses.Body]bool{s.body: true}); !strong {
				continue
			}
			c := s.direct("testuse", "double-close", look.source(), step.Pos(), closed.Pos())
			c.Via = step.via
			c.Protected = class
			c.Roles = [2]string{"counted", "closed"}
			c.Message = fmt.Sprintf("two goroutines can both count %s, then both find it at its end and close the channel twice: %s is released in between", step.place, class)
			s.tell(c, look, step.source())
			return
		}
	}
}

// closedAt is the close of a channel to which a comparison of what look reads with a
// constant leads.
func (s *search) closedAt(look *occurrence) *ast.CallExpr {
	for _, test := range s.testsOf(look.Access, true) {
		for _, cond := range s.body.Conds[test] {
			b, ok := ast.Unparen(cond).(*ast.BinaryExpr)
			if !ok || b.Op != token.EQL && b.Op != token.LEQ && b.Op != token.NEQ && b.Op != token.GTR || s.pkg.Info.Types[b.Y].Value == nil {
				continue
			}
			for block, events := range s.body.Events {
				for _, ev := range events {
					call, ok := ev.Node.(*ast.CallExpr)
					if ok && ev.Kind == accesses.OnCall && s.closeOf(call) != nil && s.decided([]int{test}, block) {
						return call
					}
				}
			}
		}
	}
	return nil
}

// countsInHold says whether the critical section of the look counts as well.
func (s *search) countsInHold(look *occurrence) bool {
	for _, w := range s.order {
		if w.Mode == atomicity.Write && w.Var == look.Var && (s.oneHold(w, look) || s.oneHold(look, w) || w.via != nil && w.via == look.via) {
			return true
		}
	}
	return false
}
