package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
	"github.com/atomrace/atomrace/internal/pattern"
)

// closedMeanwhile finds sends on a channel of an object that others close at any time: by a method
// such as Close, or where a goroutine ends. Neither is there a lock that keeps the two apart, nor do
// those who close wait for the goroutines that send.
//
//	func (p *poller) Close() { close(p.events) }
//	go func() { for range ticker.C { p.events <- look() } }()
//
// That the sender has an arm for the end beside, case <-p.done:, does not help: of the arms that are
// ready select takes any, and on a closed channel the send is ready, and panics.
func (s *search) closedMeanwhile() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || s.recovers() {
		return
	}
	for block, events := range s.body.Events {
		for index, ev := range events {
			send, ok := ev.Node.(*ast.SendStmt)
			if !ok || ev.Kind != accesses.OnSend {
				continue
			}
			ch := s.occurrenceOf(send.Chan)
			if ch == nil || !ch.Var.Obj.IsField() || strings.Contains(ch.place.Path, "[") || s.reachOf(ch) == shared.Private || s.inFlight(send.Pos()) ||
				!s.sendsForOthers(send, ch) || s.toldOfSend(send) {
				continue
			}
			held := s.heldAt(block, index)
			if c, in := s.closedBeside(ch, block, held); in != nil {
				d := s.direct("testuse", "send-after-check", ch.Access, send.Pos(), c.call.Pos())
				d.Roles = [2]string{"sent on", "closed"}
				d.Alike = fmt.Sprint("closed-meanwhile", d.Name)
				d.Message = fmt.Sprintf("%s can be closed by %s before or during this send, which then panics: it does not wait for those that send, and no lock keeps the two apart",
					types.ExprString(send.Chan), in.Fn.Name)
				if sameLock(held, c.held) {
					d.Message = fmt.Sprintf("%s is closed by %s, and nothing is asked before this send under the lock that both hold: it panics when it comes second",
						types.ExprString(send.Chan), in.Fn.Name)
				}
				s.tell(d, ch, ch.Access)
				return
			}
		}
	}
}

// toldOfSend says whether a report about the send is there already.
func (s *search) toldOfSend(send *ast.SendStmt) bool {
	return slices.ContainsFunc(s.found, func(d *Candidate) bool {
		return d.Sure && (d.EndPos == send.Chan.Pos() || d.Pos == send.Chan.Pos())
	})
}

// sendsForOthers says whether the send is one of a goroutine, or of an exported method which is
// there for several: the type has a lock, or the send does not block for ever.
func (s *search) sendsForOthers(send *ast.SendStmt, ch *occurrence) bool {
	if s.shared.Spawned(s.body) {
		return true
	}
	fn := s.body.Func
	if s.body.Parent != nil && s.shared.Entered(s.body) { // a literal that the method has run at once
		fn = s.body.Outermost().Func
	}
	if fn != nil && !fn.Exported() && fn.Signature().Recv() != nil && ch.place.Root == types.Object(fn.Signature().Recv()) {
		return s.sendsForExported(fn, send)
	}
	if fn == nil || !fn.Exported() || fn.Signature().Recv() == nil || ch.place.Root != types.Object(fn.Signature().Recv()) || endings.MatchString(fn.Name()) || s.shared.SetsGoing(s.body) {
		return false
	}
	return s.shared.Concurrent(fn.Signature().Recv().Type()) || s.otherArm(send)
}

// sendsForExported says whether the method, which has a lock in its type or another arm beside the send,
// is part of an exported one for several: func (q *Queue) Add(x T) { q.add(x) }.
func (s *search) sendsForExported(fn *types.Func, send *ast.SendStmt) bool {
	if !s.shared.Concurrent(fn.Signature().Recv().Type()) && !s.otherArm(send) {
		return false
	}
	exported := false
	for _, from := range s.callersOf(fn) {
		by := from.Func
		if by == nil || !by.Exported() || by.Signature().Recv() == nil || endings.MatchString(by.Name()) || s.shared.SetsGoing(from) {
			return false
		}
		exported = exported || types.Identical(by.Signature().Recv().Type(), fn.Signature().Recv().Type())
	}
	return exported
}

// otherArm says whether the send is an arm of a select with an arm that receives.
func (s *search) otherArm(send *ast.SendStmt) bool {
	found := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectStmt)
		if !ok {
			return !found
		}
		here, other := false, false
		for _, clause := range sel.Body.List {
			comm := clause.(*ast.CommClause).Comm
			here = here || comm == ast.Stmt(send)
			_, sends := comm.(*ast.SendStmt)
			other = other || comm != nil && !sends
		}
		found = found || here && other
		return !found
	})
	return found
}

// closedBeside is where another function closes the channel, whenever it likes, while the body
// sends, and what that is.
func (s *search) closedBeside(ch *occurrence, block int, held locks.Set) (closeCall, *accesses.Body) {
	closers := s.closersOf(ch.Var)
	for _, b := range s.pkg.Bodies {
		c, ok := closers[b]
		if !ok || b.Outermost() == s.body.Outermost() || s.shared.Constructing(b) || sameLock(held, c.held) && !s.sendsUnasked(ch, b) || !s.spawnedOrEnding(b) || s.partOfOther(s.body, b) {
			continue
		}
		if _, strong, _ := s.shared.RivalsAmong(s.body, ch.Var, map[*accesses.Body]bool{b: true}); !strong {
			continue
		}
		if s.looksBefore(ch, block) || s.waitsBeforeClose(b, c.call.Pos(), ch) || s.replacedBy(b, ch.Var) || s.saysApart(b) {
			continue
		}
		return c, b
	}
	return closeCall{}, nil
}

// spawnedOrEnding says whether the body is run by a goroutine, or is, or belongs to, an exported
// method by which anybody ends an object.
func (s *search) spawnedOrEnding(b *accesses.Body) bool {
	fn := b.Outermost().Func
	if fn != nil && fn.Signature().Recv() != nil && (fn.Exported() && endings.MatchString(fn.Name()) || s.calledToEnd(fn) != nil) {
		return true
	}
	return s.shared.Spawned(b)
}

// partOfOther says whether the function of the closing body calls that of the sending one, or the other
// way round: the one may be a part of the other.
func (s *search) partOfOther(a, b *accesses.Body) bool {
	calls := func(from, to *accesses.Body) bool {
		fn := to.Outermost().Func
		return fn != nil && !fn.Exported() && slices.ContainsFunc(s.callersOf(fn), func(c *accesses.Body) bool { return c == from || c.Outermost() == from && !s.shared.Spawned(c) })
	}
	return calls(a.Outermost(), b) || calls(b.Outermost(), a)
}

// looksBefore says whether the body, or one that calls it, looks at a flag before, which those who
// close the channel set: whether that is enough is another matter.
func (s *search) looksBefore(ch *occurrence, block int) bool {
	use := s.channels()[ch.Var]
	if use == nil {
		return false
	}
	flags := use.closedWith
	reads := func(b *accesses.Body) bool {
		return slices.ContainsFunc(s.stateOf(b).order, func(e *occurrence) bool { return e.Mode == atomicity.Read && len(flags[e.Var]) > 0 && e.Var != ch.Var })
	}
	seen := map[*accesses.Body]bool{}
	var look func(b *accesses.Body, depth int) bool
	look = func(b *accesses.Body, depth int) bool {
		if b == nil || seen[b] || depth > 3 {
			return false
		}
		seen[b] = true
		if reads(b) || b.Parent != nil && look(b.Parent, depth+1) {
			return true
		}
		return b.Func != nil && !b.Func.Exported() && slices.ContainsFunc(s.callersOf(b.Func), func(c *accesses.Body) bool { return look(c, depth+1) })
	}
	return look(s.body, 0)
}

// waitsBeforeClose says whether the function that closes the channel waits before, for goroutines or
// for what it cannot be seen to wait.
func (s *search) waitsBeforeClose(b *accesses.Body, to token.Pos, ch *occurrence) bool {
	current := s.body
	found := false
	ast.Inspect(b.Outermost().Block, func(n ast.Node) bool {
		if n == nil || found || n.Pos() >= to {
			return false
		}
		switch n := n.(type) {
		case *ast.GoStmt:
			return n.Pos() <= to && to < n.End() // what runs beside waits for itself
		case *ast.SelectStmt:
			if n.Pos() <= to && to < n.End() {
				found = s.waitsInArm(n, b, to)
				return false
			}
			return inLoop(b.Outermost().Block, n) || !s.goesOnWithout(n)
		case *ast.DeferStmt:
			if n.Pos() <= to && to <= n.End() {
				to = b.Outermost().Block.End() // it runs at the end
			} else if to < b.Outermost().Block.End() {
				return false // and this one does so, after the close
			}
		case *ast.UnaryExpr:
			found = n.Op == token.ARROW && s.mayAwait(n.X, current)
			return !found
		case *ast.CallExpr:
			fn := s.locks.Callee(n)
			if fn != nil && (s.pkg.ByFunc[fn] == nil || waiting.MatchString(fn.Name())) {
				found = waiting.MatchString(fn.Name())
				return !found
			}
		}
		found = s.awaitsGoroutines(n, true)
		return !found
	})
	if fn := b.Outermost().Func; !found && fn != nil && !fn.Exported() {
		for _, from := range s.callersOf(fn) {
			ast.Inspect(from.Outermost().Block, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok && s.locks.Callee(call) == fn {
					found = found || s.waitsBeforeClose(from, call.Pos(), ch)
				}
				return !found
			})
		}
	}
	return found
}

// waitsInArm says whether the arm of the select in which the channel is closed waits before: what the other
// arms receive is nothing that comes before, and no more than the last of it is known.
func (s *search) waitsInArm(sel *ast.SelectStmt, b *accesses.Body, to token.Pos) bool {
	found := false
	for _, clause := range sel.Body.List {
		comm := clause.(*ast.CommClause)
		if to < comm.Pos() || comm.End() <= to {
			continue
		}
		from := received(comm)
		found = comm.Comm == nil || from == nil || !s.tellsNoEnd(from, b) || slices.ContainsFunc(comm.Body, func(st ast.Stmt) bool {
			return st.Pos() < to && s.waitsInStmt(st, to)
		})
	}
	return found
}

// waitsInStmt says whether the statement receives something before the place, or calls what waits by its name.
func (s *search) waitsInStmt(st ast.Stmt, to token.Pos) bool {
	waits := false
	ast.Inspect(st, func(n ast.Node) bool {
		if n == nil || waits || n.Pos() >= to {
			return false
		}
		call, ok := n.(*ast.CallExpr)
		waits = s.awaitsGoroutines(n, true) || ok && waiting.MatchString(calledName(call))
		return !waits
	})
	return waits
}

// tellsNoEnd says whether the channel is one on which nobody but exported methods tells the closing body something, by which the
// object is ended at once: those wait for nothing, and so a receive from it says nothing of those that send.
func (s *search) tellsNoEnd(e ast.Expr, closing *accesses.Body) bool {
	v := s.variable(e)
	if v == nil || !v.IsField() {
		return false
	}
	told := false
	for _, b := range s.pkg.Bodies {
		if b.Outermost() == closing.Outermost() || s.shared.Constructing(b) && b.Parent == nil || !slices.ContainsFunc(s.states[b].order, func(o *occurrence) bool { return o.Var.Obj == v && o.via == nil }) {
			continue
		}
		fn := b.Func
		if fn == nil || !fn.Exported() || !endings.MatchString(fn.Name()) {
			return false
		}
		waits := false
		s.inState(b, func() { waits = s.waitsAnywhere() })
		if waits {
			return false
		}
		told = true
	}
	return told
}

// mayAwait says whether a receive from the channel e can tell that the body is not sending: it is
// what no exported method can tell of itself without naming the channel.
func (s *search) mayAwait(e ast.Expr, body *accesses.Body) bool {
	if s.shared.Spawned(body) {
		return true
	}
	v := s.variable(e)
	if v == nil {
		call, ok := ast.Unparen(e).(*ast.CallExpr)
		return !ok || s.locks.Callee(call) == nil || s.pkg.ByFunc[s.locks.Callee(call)] != nil // not ctx.Done(), time.After(d)
	}
	return slices.ContainsFunc(s.stateOf(body.Outermost()).order, func(o *occurrence) bool { return o.Var.Obj == v })
}

// waiting are the names of functions of others that may wait for the goroutines that they run.
var waiting = pattern.New(`(?i)wait|join|drain|shutdown|^(graceful)?stop|flush|sleep|unsubscribe|^(un|de)register`)

// replacedBy says whether the body stores something else in the variable of the channel.
func (s *search) replacedBy(b *accesses.Body, v access.Var) bool {
	return slices.ContainsFunc(s.states[b].order, func(w *occurrence) bool { return w.Mode == atomicity.Write && w.Var == v })
}

// saysApart says whether a comment on the closing function, or on the sending one, says that
// it is for the caller to keep the two apart.
func (s *search) saysApart(b *accesses.Body) bool {
	for _, b := range []*accesses.Body{b.Outermost(), s.body.Outermost()} {
		if d, ok := b.Node.(*ast.FuncDecl); ok && apart.MatchString(strings.Join(strings.Fields(d.Doc.Text()), " ")) {
			return true
		}
	}
	return false
}

var apart = pattern.New(`(?i)\bconcurren|\b(callers?|users?) (must|should|needs?|is|are|has|have)\b|\bbefore calling|\b(all|no|other|any) (other |more )?(senders|writers|producers|goroutines|publishers|calls)\b|responsib`)
