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

// endedUnlocked finds goroutines that wait for a channel of an object, or for its context, and then
// give the signal of a sync.Cond with no lock held, where a waiter looks at the same channel before
// it waits:
//
//	go func() { <-q.ctx.Done(); q.cond.Broadcast() }()
//	…
//	for !q.ready() { if q.isDone() { return }; q.cond.Wait() } // with q.mu held
//
// Both can fall between the look and the wait, and the waiter then sleeps for ever: the context
// does not end again.
func (s *search) endedUnlocked() {
	if len(s.condUses()) == 0 || !s.shared.Spawned(s.body) {
		return
	}
	var ended *types.Var
	for _, stmt := range s.body.Block.List {
		x, ok := stmt.(*ast.ExprStmt)
		if !ok {
			return
		}
		if from := s.receivedField(x.X); from != nil && ended == nil {
			ended = from
			continue
		}
		cond, method := s.condCall(accesses.Event{Kind: accesses.OnCall, Node: x.X})
		if ended == nil || !cond.Valid() || method == "Wait" {
			return
		}
		use := s.conds[locks.ClassOf(cond)]
		if use == nil || s.holdsAny(x.X) {
			return
		}
		for _, w := range use.waits {
			look := s.looksForEnd(w, ended)
			if look == nil || len(w.held) == 0 {
				continue
			}
			c := s.direct("testuse", "lost-wakeup", &access.Access{Var: access.Var{Obj: ended}, Func: s.body.Fn, Expr: x.X}, x.Pos(), look.Pos())
			c.Roles = [2]string{"told of", "looked at, before the wait,"}
			c.Sure = true
			c.Message = fmt.Sprintf("the end of %s is told of here without %s, which a waiter holds from its look at it to its wait: the signal can be given, to nobody, in between", ended.Name(), anyOf(w.held))
			s.found = append(s.found, c)
			return
		}
		return
	}
}

// holdsAny says whether any lock may be held at the call.
func (s *search) holdsAny(call ast.Expr) bool {
	any := true
	s.locks.Walk(s.body, func(_, _ int, ev accesses.Event, held locks.Set) {
		if ev.Kind == accesses.OnCall && ev.Node == ast.Node(ast.Unparen(call)) {
			any = len(held) > 0
		}
	})
	return any
}

// receivedField is the field that holds the channel, or the context, which e receives from:
// <-q.stop, <-q.ctx.Done(); or nil.
func (s *search) receivedField(e ast.Expr) *types.Var {
	recv, ok := ast.Unparen(e).(*ast.UnaryExpr)
	if !ok || recv.Op != token.ARROW {
		return nil
	}
	from := ast.Unparen(recv.X)
	if call, ok := from.(*ast.CallExpr); ok {
		done, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok || done.Sel.Name != "Done" || len(call.Args) > 0 {
			return nil
		}
		from = ast.Unparen(done.X)
	}
	sel, ok := from.(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	v, ok := s.pkg.Info.ObjectOf(sel.Sel).(*types.Var)
	if !ok || !v.IsField() {
		return nil
	}
	return v
}

// looksForEnd is where the waiter, in the loop of its wait and with the lock held from there to the
// wait, looks whether the channel that the field holds is closed; or nil.
func (s *search) looksForEnd(w condWait, field *types.Var) ast.Node {
	var loop ast.Node
	ast.Inspect(w.body.Block, func(n ast.Node) bool {
		if n, ok := n.(*ast.ForStmt); ok && n.Pos() < w.call.Pos() && w.call.End() <= n.End() {
			loop = n
		}
		return true
	})
	if loop == nil {
		return nil
	}
	var look ast.Node
	ast.Inspect(loop, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.SelectStmt:
			if s.pollsField(n, field) && n.End() <= w.call.Pos() {
				look = n
			}
		case *ast.CallExpr:
			b := s.pkg.ByFunc[s.locks.Callee(n)]
			if b != nil && len(b.Block.List) > 0 && n.End() <= w.call.Pos() && len(n.Args) == 0 {
				if poll, ok := b.Block.List[0].(*ast.SelectStmt); ok && s.pollsField(poll, field) {
					look = n
				}
			}
		}
		return true
	})
	if look == nil {
		return nil
	}
	for _, events := range w.body.Events {
		for _, ev := range events {
			if ev.Node != nil && look.End() <= ev.Node.Pos() && ev.Node.Pos() < w.call.Pos() && len(s.locks.Ops(ev)) > 0 {
				return nil
			}
		}
	}
	return look
}

// pollsField says whether the select has a default, and a case that receives from the channel
// which the field holds.
func (s *search) pollsField(sel *ast.SelectStmt, field *types.Var) bool {
	polls, found := false, false
	for _, clause := range sel.Body.List {
		comm, ok := clause.(*ast.CommClause)
		if !ok {
			continue
		}
		if comm.Comm == nil {
			polls = true
		}
		if x, ok := comm.Comm.(*ast.ExprStmt); ok {
			found = found || s.receivedField(x.X) == field
		}
	}
	return polls && found
}
