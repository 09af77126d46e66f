package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/atomicity/access"
)

// arms finds selects that send on a channel beside an arm for the signal of the end,
// where who gives that signal, or has received it, closes the channel too: a select that
// finds both arms ready takes either, and a send on a closed channel panics.
func (s *search) arms() {
	s.eachSendAtAll(func(send *ast.SendStmt, ch *occurrence, held locks.Set) (done bool) {
		asksNothing := s.asksNothingLocked(send, ch, held)
		if !asksNothing && !s.shared.Launched(s.body) && !s.shared.Entered(s.body) || s.shared.Sequential(s.body) {
			return false
		}
		for _, end := range s.besideSend(send) {
			if c, in := s.closedAfter(ch, end, held, asksNothing); c != nil {
				s.raced(ch, end, c, in)
				return true
			}
		}
		return false
	})
}

// asksNothingLocked says whether the body takes locks of the very object of the channel, and goes straight
// on to the select with the send:
//
//	q.mu.RLock()
//	select {
//	case <-q.done: // elsewhere: close(q.done); q.mu.Lock(); close(q.in); q.mu.Unlock()
//	case q.in <- v:
//	}
//
// The lock keeps the send and the close apart, and no more: who comes second finds both arms ready.
func (s *search) asksNothingLocked(send *ast.SendStmt, ch *occurrence, held locks.Set) bool {
	since := token.NoPos
	for _, events := range s.body.Events {
		for _, ev := range events {
			for _, op := range s.locks.Ops(ev) {
				if op.Kind == locks.Acquire && op.Lock.Root == ch.place.Root && held.Holds(op.Lock) && ev.Pos() < send.Pos() {
					since = max(since, ev.Node.End())
				}
			}
		}
	}
	if !since.IsValid() || len(locksOf(held)) != len(held) || len(held) > 1 {
		return false
	}
	asks := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		if n == nil || asks || n.End() <= since || n.Pos() >= send.Pos() {
			return false
		}
		around := n.Pos() <= send.Pos() && send.End() <= n.End()
		if n.Pos() < since {
			return around
		}
		switch n := n.(type) {
		case *ast.IfStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.ForStmt, *ast.RangeStmt, *ast.ReturnStmt, *ast.BranchStmt:
			asks = true
		case *ast.SelectStmt:
			asks = !around
		case *ast.CommClause:
			return around
		case *ast.FuncLit:
			asks = around
			return false
		case *ast.UnaryExpr:
			asks = n.Op == token.ARROW
		case *ast.CallExpr:
			asks = s.pkg.ByFunc[s.locks.Callee(n)] != nil
		}
		return !asks
	})
	return !asks
}

// eachSend visits the sends of the body on channels that fields hold, with what is held
// there, until visit is done: those that panic when others close the channel, if others
// can be there at all.
func (s *search) eachSend(visit func(send *ast.SendStmt, ch *occurrence, held locks.Set) (done bool)) {
	if s.shared.Launched(s.body) || s.shared.Entered(s.body) {
		s.eachSendAtAll(visit)
	}
}

// eachSendAtAll visits them wherever the body is called from.
func (s *search) eachSendAtAll(visit func(send *ast.SendStmt, ch *occurrence, held locks.Set) (done bool)) {
	if s.recovers() || s.shared.Constructing(s.body) {
		return
	}
	for block, events := range s.body.Events {
		for index, ev := range events {
			send, ok := ev.Node.(*ast.SendStmt)
			if !ok || ev.Kind != accesses.OnSend {
				continue
			}
			ch := s.occurrenceOf(send.Chan)
			if ch == nil || !ch.place.Valid() || !ch.Var.Obj.IsField() || s.inFlight(ch.Pos()) {
				continue
			}
			if visit(send, ch, s.heldAt(block, index)) {
				return
			}
		}
	}
}

func (s *search) raced(ch, end *occurrence, c *closeCall, in *access.Function) {
	d := s.direct("testuse", "send-after-check", ch.Access, ch.Pos(), c.call.Pos())
	d.Roles = [2]string{"sent on", "closed"}
	d.Message = fmt.Sprintf("%s can be closed here: %s closes it once %s is closed, and a select that finds both arms ready takes either; a send on a closed channel panics",
		types.ExprString(ch.Expr), in.Name, types.ExprString(end.Expr))
	s.tell(d, ch, c.channel.Access)
}

// besideSend are the channels of the same object that the select which the send is an
// arm of receives from.
func (s *search) besideSend(send *ast.SendStmt) []*occurrence {
	ch := s.pkg.PlaceOf(send.Chan)
	var list []*occurrence
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectStmt)
		if !ok || send.Pos() < sel.Pos() || sel.End() < send.End() {
			return true
		}
		var received []ast.Expr
		mine := false
		for _, clause := range sel.Body.List {
			comm, ok := clause.(*ast.CommClause)
			if !ok {
				continue
			}
			switch c := comm.Comm.(type) {
			case *ast.SendStmt:
				mine = mine || c == send
			case *ast.ExprStmt:
				received = append(received, c.X)
			case *ast.AssignStmt:
				received = append(received, c.Rhs[0])
			}
		}
		for _, e := range received {
			u, ok := ast.Unparen(e).(*ast.UnaryExpr)
			if !ok || u.Op != token.ARROW || !mine {
				continue
			}
			if o := s.occurrenceOf(u.X); o != nil && o.place.Root == ch.Root && o.Var.Obj.IsField() {
				list = append(list, o)
			}
		}
		return true
	})
	return list
}

// closedAfter is a call that closes ch after end was closed, or received from, with
// nothing in between that could wait for the senders, and no lock that is held at the
// send too, unless asksNothing.
func (s *search) closedAfter(ch, end *occurrence, held locks.Set, asksNothing bool) (*closeCall, *access.Function) {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, b := range s.pkg.Bodies {
		if s.shared.Constructing(b) {
			continue
		}
		s.bodyState = s.states[b]
		for _, c := range s.closeCalls() {
			if c.channel.Var != ch.Var || excludes(held, c.held) && c.held.Any() && held.Any() && !(sameLock(held, c.held) && asksNothing) {
				continue
			}
			if b.Outermost() == current.body.Outermost() && !s.onlyOnce(c.call) {
				continue // the sender closes its own channel
			}
			if s.endsBefore(end.Var, c.call) || s.endsBeforeCall(end.Var, c) {
				return &c, b.Fn
			}
		}
	}
	return nil, nil
}

// onlyOnce says whether the call lies in a literal that is handed to sync.Once: then
// several goroutines come there.
func (s *search) onlyOnce(call *ast.CallExpr) bool {
	if s.body.Parent == nil {
		return false
	}
	once := false
	ast.Inspect(s.body.Parent.Block, func(n ast.Node) bool {
		if do, ok := n.(*ast.CallExpr); ok && len(do.Args) == 1 && ast.Unparen(do.Args[0]) == s.body.Node {
			fn := s.locks.Callee(do)
			once = fn != nil && fn.Name() == "Do" && fn.Pkg() != nil && fn.Pkg().Path() == "sync"
		}
		return !once
	})
	return once
}

// endsBefore says whether the function closes end, or receives from it, before the call,
// and does nothing in between but close and unlock.
func (s *search) endsBefore(end access.Var, call *ast.CallExpr) bool {
	var at token.Pos
	waits := false
	for b := s.body; b != nil; b = b.Parent {
		for _, events := range b.Events {
			for _, ev := range events {
				if ev.Node == nil || ev.Pos() >= call.Pos() {
					continue
				}
				var ended ast.Expr
				if u, ok := ev.Node.(*ast.UnaryExpr); ok && ev.Kind == accesses.OnReceive && inArm(b.Block, u, call) {
					ended = u.X
				} else if ev.Kind == accesses.OnCall {
					ended = s.closeOf(ev.Node)
				}
				if ended != nil && s.variable(ended) == end.Obj {
					at = max(at, ev.Pos())
				}
			}
		}
	}
	if !at.IsValid() {
		return false
	}
	for b := s.body; b != nil; b = b.Parent {
		for _, events := range b.Events {
			for _, ev := range events {
				if ev.Node == nil || ev.Pos() <= at || ev.Pos() >= call.Pos() || ev.Node.End() >= call.End() {
					continue
				}
				switch ev.Kind {
				case accesses.OnReceive, accesses.OnSend:
					waits = true
				case accesses.OnCall:
					waits = waits || s.closeOf(ev.Node) == nil && len(s.locks.Ops(ev)) == 0
				}
			}
		}
	}
	return !waits
}

// inArm says whether n lies in the arm of the select that receives by u, or u is in none.
func inArm(block *ast.BlockStmt, u *ast.UnaryExpr, n ast.Node) bool {
	in := true
	ast.Inspect(block, func(m ast.Node) bool {
		if arm, ok := m.(*ast.CommClause); ok && arm.Comm != nil && arm.Comm.Pos() <= u.Pos() && u.End() <= arm.Comm.End() {
			in = arm.Pos() <= n.Pos() && n.End() <= arm.End()
		}
		return true
	})
	return in
}
