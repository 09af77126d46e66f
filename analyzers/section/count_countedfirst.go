package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// countedFirst finds functions that count themselves, send on a channel, and close it if
// theirs was the last count: who counts last can close it while another, who has counted
// before, has not sent yet.
func (s *search) countedFirst() {
	if s.recovers() || s.shared.Constructing(s.body) {
		return
	}
	for _, c := range s.closeCalls() {
		if c.held.Any() || s.reachOf(c.channel) == shared.Private {
			continue
		}
		count, last := s.lastCount(c.block)
		if count == nil || count.place.Root != c.channel.place.Root {
			continue
		}
		s.locks.Walk(s.body, func(block, index int, ev accesses.Event, held locks.Set) {
			send, ok := ev.Node.(*ast.SendStmt)
			if !ok || ev.Kind != accesses.OnSend || held.Any() || s.before(c.call, send) || s.before(send, count) || s.pkg.PlaceOf(send.Chan) != c.channel.place || s.inFlight(send.Pos()) {
				return
			}
			ch := s.occurrenceOf(send.Chan)
			if ch == nil || last(block) || !s.leadsTo(count, ch) || s.leadsTo(ch, count) {
				return // or it counts in a loop, one goroutine for all
			}
			d := s.direct("testuse", "send-after-check", count.Access, count.Pos(), ch.Pos())
			d.Ends = []*access.Access{ch.Access}
			d.EndName = s.pkg.Name(ch.Var)
			d.Roles = [2]string{"counted", "sent on"}
			d.Message = fmt.Sprintf("%s can be closed between the count of %s and the send on it, which then panics: who counts last closes it, and does not wait for those who have counted before",
				types.ExprString(ch.Expr), count.place)
			s.tell(d, count, ch.Access)
		})
	}
}

// lastCount is the step of a counter whose outcome, compared for equality, decides whether
// the body comes to the block: an atomic one, or one under a lock. It also tells to which
// blocks the last alone comes.
func (s *search) lastCount(block int) (count *occurrence, last func(block int) bool) {
	for test, conds := range s.body.Conds {
		decides, edge := s.decides(test, block)
		if !decides || len(conds) == 0 {
			continue
		}
		last = func(at int) bool {
			ok, same := s.decides(test, at)
			return ok && same == edge
		}
		for _, cond := range conds {
			b, ok := ast.Unparen(cond).(*ast.BinaryExpr)
			if !ok || !(b.Op == token.EQL && edge == 0 || (b.Op == token.NEQ || b.Op == token.LSS || b.Op == token.GTR) && edge == 1 || (b.Op == token.GEQ || b.Op == token.LEQ) && edge == 0) {
				continue
			}
			for a := range s.values.of(cond) {
				o := s.occ[a]
				switch {
				case o == nil || o.via != nil || !o.place.Valid() || s.reachOf(o) == shared.Private:
				case a.Kind == access.Atomic && adds(a):
					return o, last
				case a.Kind == access.Cell && o.held.Any() && s.stepsUnder(o):
					return o, last
				}
			}
		}
	}
	return nil, nil
}

// stepsUnder says whether the body counts the variable up or down in the hold in which o
// reads it.
func (s *search) stepsUnder(o *occurrence) bool {
	for _, w := range s.order {
		if w.Mode != atomicity.Write || w.Var != o.Var || w.place != o.place || w.via != nil || s.before(o, w) || !s.oneHold(w, o) {
			continue
		}
		if _, ok := w.Stmt.(*ast.IncDecStmt); ok {
			return true
		}
	}
	return false
}
