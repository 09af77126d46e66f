package section

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/atomicity/access"
)

// sentByStarted finds methods such as Close that close a channel of their object on which a goroutine
// sends without end, which was given the channel and not the object, and do not wait for that:
//
//	s.out = make(chan event)
//	go s.queue.forward(s.out) // for { out <- q.next() }
//
//	func (s *store) Close() { close(s.out) }
//
// The next send panics.
func (s *search) sentByStarted() {
	fn := s.body.Func
	if fn == nil || !fn.Exported() || !endings.MatchString(fn.Name()) || fn.Signature().Recv() == nil || s.shared.Sequential(s.body) {
		return
	}
	for _, c := range s.closeCalls() {
		if c.channel.Var.Obj == nil || !c.channel.Var.Obj.IsField() || c.channel.place.Root != types.Object(fn.Signature().Recv()) || s.isElement(c.channel.place) || s.waitsIn(s.body.Block, c.call, 0) || s.sendToldOf(c.channel.Var) {
			continue
		}
		for _, b := range s.pkg.Bodies {
			send, in := s.sendWithoutEnd(b, c.channel.Var.Obj)
			if send == nil || in == s.body {
				continue
			}
			d := s.direct("testuse", "send-after-check", c.channel.Access, c.call.Pos(), send.Pos())
			d.EndName = types.ExprString(send.Chan)
			d.Roles = [2]string{"closed", "sent on without end"}
			d.Message = fmt.Sprintf("%s is closed here while the goroutine that %s starts goes on sending on it, as %s: nothing waits for that to end, and its next send panics",
				types.ExprString(c.channel.Expr), b.Outermost().Fn.Name, types.ExprString(send.Chan))
			s.tell(d, c.channel, c.channel.Access)
			return
		}
	}
}

// sendToldOf says whether a send on the variable has been told of already that can come after its close.
func (s *search) sendToldOf(v access.Var) bool {
	for _, c := range s.found {
		if c.Variable == v && c.Category == "send-after-check" {
			return true
		}
	}
	return false
}

// sendWithoutEnd is a send, in a loop without a condition, on the channel in the field by a goroutine
// that the body starts with the channel as an argument, or as a local that is stored in the field.
func (s *search) sendWithoutEnd(b *accesses.Body, field *types.Var) (*ast.SendStmt, *accesses.Body) {
	for _, events := range b.Events {
		for _, ev := range events {
			start, ok := ev.Node.(*ast.GoStmt)
			if !ok || ev.Kind != accesses.OnGo {
				continue
			}
			in, params := s.startedBody(start.Call)
			if in == nil || recoversIn(in.Node) || inLoop(b.Block, start) {
				continue
			}
			for i, arg := range start.Call.Args {
				if i >= params.Len() || !s.holdsField(b, arg, field) {
					continue
				}
				if send := s.endless(in, params.At(i)); send != nil {
					return send, in
				}
			}
			if _, ok := in.Node.(*ast.FuncLit); !ok {
				continue
			}
			for _, send := range sendsIn(in.Block) {
				id := identOf(send.Chan)
				if id == nil || !s.holdsField(b, id, field) {
					continue
				}
				if v, ok := s.pkg.Info.Uses[id].(*types.Var); ok && s.endless(in, v) == send {
					return send, in
				}
			}
		}
	}
	return nil, nil
}

// startedBody is the body of this package that the call runs, and its parameters.
func (s *search) startedBody(call *ast.CallExpr) (*accesses.Body, *types.Tuple) {
	if lit, ok := ast.Unparen(call.Fun).(*ast.FuncLit); ok {
		if sig, ok := s.pkg.Info.TypeOf(lit).(*types.Signature); ok {
			return s.pkg.ByNode[lit], sig.Params()
		}
		return nil, nil
	}
	if fn := s.locks.Callee(call); fn != nil && s.pkg.ByFunc[fn] != nil {
		return s.pkg.ByFunc[fn], fn.Signature().Params()
	}
	return nil, nil
}

// holdsField says whether the expression in the body is the field, or a local that is stored there.
func (s *search) holdsField(b *accesses.Body, e ast.Expr, field *types.Var) bool {
	if s.variable(e) == field {
		return true
	}
	id := identOf(e)
	if id == nil {
		return false
	}
	local := s.pkg.Info.Uses[id]
	found := false
	is := func(e ast.Expr) bool {
		x := identOf(e)
		return x != nil && local != nil && s.pkg.Info.Uses[x] == local
	}
	ast.Inspect(b.Outermost().Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, l := range n.Lhs {
				found = found || len(n.Rhs) == len(n.Lhs) && s.variable(l) == field && is(n.Rhs[i])
			}
		case *ast.KeyValueExpr:
			key, ok := n.Key.(*ast.Ident)
			found = found || ok && s.pkg.Info.Uses[key] == types.Object(field) && is(n.Value)
		}
		return !found
	})
	return found
}

// endless is a send on the channel in a loop of the body that has no condition, with no lock held.
func (s *search) endless(b *accesses.Body, ch *types.Var) (found *ast.SendStmt) {
	s.locks.Walk(b, func(_, _ int, ev accesses.Event, held locks.Set) {
		send, ok := ev.Node.(*ast.SendStmt)
		if !ok || ev.Kind != accesses.OnSend || len(held) > 0 || found != nil {
			return
		}
		id := identOf(send.Chan)
		if id == nil || s.pkg.Info.Uses[id] != types.Object(ch) {
			return
		}
		if loop, ok := loopAround(b.Block, send).(*ast.ForStmt); ok && loop.Cond == nil {
			found = send
		}
	})
	return found
}
