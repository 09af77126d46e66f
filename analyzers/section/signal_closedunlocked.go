package section

import (
	"fmt"
	"go/ast"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
)

// closedUnlocked finds channels that are closed, and told of by a signal, with none of the locks
// that a waiter holds from its look whether they are closed to its wait for the signal: both can
// fall in between, and it waits for ever.
//
//	close(q.stop); q.cond.Broadcast()
//	for len(q.items) == 0 { select { case <-q.stop: return; default: }; q.cond.Wait() }
func (s *search) closedUnlocked() {
	if s.shared.Constructing(s.body) {
		return
	}
	for _, c := range s.closeCalls() {
		at := *c.channel
		found := false
		for index, ev := range s.body.Events[c.block] {
			if ev.Node == ast.Node(c.call) && ev.Kind == accesses.OnCall {
				at.block, at.index, found = c.block, index, true
			}
		}
		if !found || s.reachOf(c.channel) == shared.Private {
			continue
		}
		said := false
		s.onward(&at, func(_, _ int, ev accesses.Event, _ locks.Set) bool {
			cond, method := s.condCall(ev)
			if !said && cond.Valid() && (method == "Signal" || method == "Broadcast") && cond.Root == at.place.Root {
				said = s.closedUnheld(c, &at, cond, ev)
			}
			if said {
				return true
			}
			for _, op := range s.locks.Ops(ev) {
				if op.Kind == locks.Acquire {
					return true // waiters look before it, or see it closed
				}
			}
			return false
		})
	}
}

// closedUnheld reports the close if a waiter for the signal looks whether the channel is closed
// with a lock that is not held at the close.
func (s *search) closedUnheld(c closeCall, at *occurrence, cond accesses.Place, signal accesses.Event) bool {
	use := s.conds[locks.ClassOf(cond)]
	if use == nil {
		return false
	}
	for _, w := range use.waits {
		if w.cond.Path != cond.Path || len(c.held) > 0 && excludes(c.held, w.held) || len(w.held) == 0 {
			continue
		}
		look, test := s.closedLook(w, at)
		if look == nil {
			continue
		}
		entry := c.channel.source()
		if test != nil {
			entry = test.source()
		}
		d := s.direct("testuse", "lost-wakeup", entry, c.call.Pos(), look.Pos())
		d.Roles = [2]string{"closed", "looked at, before the wait,"}
		d.Message = fmt.Sprintf("%s is closed here without %s, which a waiter holds from its look at it to its wait: the %s can be given, to nobody, in between",
			at.place, anyOf(w.held), signalOf(signal))
		s.tell(d, c.channel, entry)
		d.Sure = d.Sure && !s.shared.Sequential(s.body)
		return true
	}
	return false
}

// closedLook is the look, in the critical section of the wait, that goes on to the wait if the
// channel is not closed.
func (s *search) closedLook(w condWait, ch *occurrence) (look ast.Expr, test *occurrence) {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	s.bodyState = s.states[w.body]
	place := accesses.Place{Root: w.cond.Root, Path: ch.place.Path}
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.SelectStmt:
			received, leaving, fallback := s.poll(n, place)
			if received != nil && (fallback.Pos() <= w.call.Pos() && w.call.End() <= fallback.End() || leaving && n.End() <= w.call.Pos() && w.call.Pos()-n.End() < 2000) {
				look = received
			}
		}
		return look == nil
	})
	for block, conds := range s.body.Conds {
		for _, cond := range conds {
			if look != nil {
				break
			}
			if decides, _ := s.decides(block, w.block); !decides {
				continue
			}
			ast.Inspect(cond, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok && look == nil && s.asks(call, place) {
					look = call
				}
				return look == nil
			})
		}
	}
	if look == nil {
		return nil, nil
	}
	for _, o := range s.order {
		if o.Mode == atomicity.Read && o.Var == ch.Var && (o.via != nil && ast.Expr(o.via) == look || ast.Unparen(o.Expr) == ast.Unparen(look)) {
			test = o
			break
		}
	}
	if test != nil && !s.oneHold(test, &occurrence{Access: test.Access, block: w.block, index: w.index, held: w.held, outer: w.held, place: test.place}) {
		return nil, nil // under another lock, or it is given up in between
	}
	return look, test
}
