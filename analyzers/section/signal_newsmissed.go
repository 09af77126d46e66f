package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// newsMissed finds waits for the news of a change, a channel that is closed and replaced by
// another one when there are some, where the channel is taken in a later critical section
// than the one that has found what it waits for missing: in between the change can come, and
// the channel be closed; who waits for the next one may wait for ever.
//
//	if x.position() >= n { return }      // x.mu
//	<-x.changed()                        // x.mu; elsewhere: x.at = n; close(x.news); x.news = make(…)
//
// What is waited for may be in an atomic variable as well.
func (s *search) newsMissed() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) {
		return
	}
	for _, ch := range s.order {
		if !isChannelRead(ch) || ch.lit || ch.later || ch.depth > 1 || ownHold(ch) == locks.Possible || s.reachOf(ch) == shared.Private {
			continue
		}
		wait := s.waitFor(ch)
		if wait == nil {
			continue
		}
		tellers := s.tellersBy(ch.Var)
		if len(tellers) == 0 {
			continue
		}
		for _, test := range s.order {
			if test.Mode != atomicity.Read || test.lit || test.depth > 1 || test.Var == ch.Var || test.place.Root != ch.place.Root || ownHold(test) == locks.Possible && test.Kind != access.Atomic || test.via != nil && test.via == ch.via ||
				!s.decided(s.testsOf(test.Access, true), ch.block) || !s.leadsTo(test, ch) || s.oneHold(test, ch) || s.askedSince(test, ch, wait) {
				continue
			}
			if in := s.announcer(test.Var, tellers); in != nil {
				s.missesNews(test, ch, in)
				return
			}
		}
	}
}

func (s *search) missesNews(test, ch *occurrence, in *accesses.Body) {
	if _, strong, _ := s.shared.RivalsAmong(s.body, test.Var, map[*accesses.Body]bool{in: true}); !strong {
		return
	}
	c := s.direct("testuse", "lost-wakeup", test.source(), test.Pos(), ch.Pos())
	c.Via, c.EndVia = test.via, ch.via
	c.EndName = s.pkg.Name(ch.Var)
	c.Roles = [2]string{"tested", "taken to wait for"}
	c.Message = fmt.Sprintf("%s can change, and %s be closed, between the test and here, where the channel is taken in another critical section: %s has put the next one there by then",
		test.place, ch.place, in.Fn.Name)
	s.tell(c, test, ch.source())
}

// isChannelRead says whether o reads a field that holds a channel.
func isChannelRead(o *occurrence) bool {
	if o.Mode != atomicity.Read || o.Kind != access.Cell || o.Var.Obj == nil || !o.Var.Obj.IsField() {
		return false
	}
	_, isChan := o.Var.Obj.Type().Underlying().(*types.Chan)
	return isChan
}

// waitFor is the receive, outside the lock, from the channel that ch has read, if it is not
// given up after some time.
func (s *search) waitFor(ch *occurrence) *ast.UnaryExpr {
	var wait *ast.UnaryExpr
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.SelectStmt:
			if s.givesUp(n) {
				return false
			}
		case *ast.UnaryExpr:
			if _, from := s.values.of(n.X)[ch.Access]; from && n.Op == token.ARROW && wait == nil {
				wait = n
			}
		}
		return true
	})
	return wait
}

// givesUp says whether the select has a default, or waits for a time.
func (s *search) givesUp(sel *ast.SelectStmt) bool {
	return slices.ContainsFunc(sel.Body.List, func(clause ast.Stmt) bool {
		comm := clause.(*ast.CommClause).Comm
		if comm == nil {
			return true
		}
		timed := false
		ast.Inspect(comm, func(n ast.Node) bool {
			if u, ok := n.(*ast.UnaryExpr); ok && u.Op == token.ARROW {
				t, ok := s.values.underlying(u.X).(*types.Chan)
				timed = timed || ok && types.TypeString(t.Elem(), nil) == "time.Time"
			}
			return !timed
		})
		return timed
	})
}

// askedSince says whether what was tested is tested again between the taking of the channel
// and the wait.
func (s *search) askedSince(test, ch *occurrence, wait *ast.UnaryExpr) bool {
	return slices.ContainsFunc(s.order, func(o *occurrence) bool {
		return o.Mode == atomicity.Read && o.Var == test.Var && o != test && o.via != ch.via && (s.before(ch, o) && s.before(o, wait) || s.oneHold(o, ch)) && len(s.testsOf(o.Access, false)) > 0
	})
}

// tellersBy are the functions that put another channel in the place of the one that the variable
// holds, with a lock of the object held, and close that one, at once or when they have let go.
func (s *search) tellersBy(ch access.Var) []*accesses.Body {
	var list []*accesses.Body
	for _, b := range s.pkg.Bodies {
		if s.shared.Constructing(b) || !slices.ContainsFunc(s.stateOf(b).order, func(w *occurrence) bool {
			return w.Var == ch && w.Mode == atomicity.Write && w.via == nil && w.held.Any()
		}) {
			continue
		}
		if c, ok := s.closersOf(ch)[b]; ok && c.held.Any() || s.closesTaken(b, ch) {
			list = append(list, b)
		}
	}
	return list
}

// closesTaken says whether the body closes the channel that it has taken out of the variable
// under a lock: last := x.news; x.news = make(…); x.mu.Unlock(); close(last).
func (s *search) closesTaken(b *accesses.Body, ch access.Var) bool {
	for _, events := range b.Events {
		for _, ev := range events {
			if closed := s.closeOf(ev.Node); closed != nil && ev.Kind == accesses.OnCall {
				if o := s.takenFrom(s.states[b], closed); o != nil && o.Var == ch && o.held.Any() {
					return true
				}
			}
		}
	}
	return false
}

// announcer is a function that changes the variable, and is one of those who tell, or calls one
// of them.
func (s *search) announcer(v access.Var, tellers []*accesses.Body) *accesses.Body {
	for _, b := range s.pkg.Bodies {
		if b.Outermost() == s.body.Outermost() || s.shared.Constructing(b) || !slices.ContainsFunc(s.states[b].order, func(w *occurrence) bool {
			return w.Var == v && w.Mode == atomicity.Write && w.via == nil && (w.held.Any() || w.Kind == access.Atomic)
		}) {
			continue
		}
		if slices.Contains(tellers, b) {
			return b
		}
		for _, events := range b.Events {
			for _, ev := range events {
				if call, ok := ev.Node.(*ast.CallExpr); ok && ev.Kind == accesses.OnCall && slices.Contains(tellers, s.pkg.ByFunc[s.locks.Callee(call)]) {
					return b
				}
			}
		}
	}
	return nil
}
