package section

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// leftOwnField finds methods that close a channel of their object at their end, which comes when a context that they
// were given ends, while a goroutine that they have started, by another method of the object, sends on it:
//
//	defer close(r.out)
//	for {
//		select {
//		case v := <-r.in:
//			r.forward(ctx, v) // go func() { select { case r.out <- v: case <-ctx.Done(): } }()
//		case <-ctx.Done():
//			return
//		}
//	}
//
// Nothing is waited for in between: the goroutine can still be on its way to the send, for which it finds
// the closed channel as ready as the end.
func (s *search) leftOwnField() {
	fn := s.body.Func
	if fn == nil || fn.Signature().Recv() == nil || s.shared.Constructing(s.body) || s.recovers() {
		return
	}
	recv := types.Object(fn.Signature().Recv())
	closes := s.closesFieldsAtEnd(recv)
	if len(closes) == 0 || !s.leftForContext() || s.awaitsElse(nil) || s.goesThroughChannel() {
		return
	}
	for _, call := range closes {
		field := s.variable(call.Args[0])
		send, in := s.sentByStartedMethod(field, recv)
		if send == nil || s.toldOfSend(send) {
			continue
		}
		closed := call.Args[0]
		a := &access.Access{Var: access.Var{Obj: field}, Mode: atomicity.Read, Func: s.body.Fn, Expr: closed, Cell: closed}
		c := s.direct("testuse", "send-after-check", a, call.Pos(), send.Pos())
		c.Roles = [2]string{"closed", "sent on"}
		c.Message = fmt.Sprintf("%s is closed here as soon as the context ends, while a goroutine that %s starts may still be about to send on it: nothing waits for that one, and its send panics",
			types.ExprString(closed), in.Fn.Name)
		s.tell(c, &occurrence{Access: a, place: s.pkg.PlaceOf(closed)}, a)
		return
	}
}

// goesThroughChannel says whether the body ranges over a channel.
func (s *search) goesThroughChannel() bool {
	found := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		if loop, ok := n.(*ast.RangeStmt); ok {
			_, isChan := s.values.underlying(loop.X).(*types.Chan)
			found = found || isChan
		}
		return !found
	})
	return found
}

// closesFieldsAtEnd are the calls that close channels in fields of the object, which the body defers, or which are
// all that a literal does that it defers.
func (s *search) closesFieldsAtEnd(recv types.Object) (list []*ast.CallExpr) {
	add := func(call *ast.CallExpr) bool {
		if s.closeOf(call) == nil {
			return false
		}
		if pl := s.pkg.PlaceOf(call.Args[0]); pl.Root == recv && pl.Field() != nil && s.variable(call.Args[0]) != nil {
			list = append(list, call)
		}
		return true
	}
	for _, st := range s.body.Block.List {
		d, ok := st.(*ast.DeferStmt)
		if !ok || add(d.Call) {
			continue
		}
		if lit, ok := ast.Unparen(d.Call.Fun).(*ast.FuncLit); ok {
			for _, st := range lit.Body.List {
				x, ok := st.(*ast.ExprStmt)
				if !ok {
					return nil
				}
				call, ok := ast.Unparen(x.X).(*ast.CallExpr)
				if !ok || !add(call) {
					return nil
				}
			}
		}
	}
	return list
}

// leftForContext says whether the body returns at once in an arm of a select in an endless loop that is taken when a
// context ends which it was given.
func (s *search) leftForContext() bool {
	found := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		comm, ok := n.(*ast.CommClause)
		if _, lit := n.(*ast.FuncLit); lit || found {
			return false
		}
		if !ok || len(comm.Body) != 1 || endlessLoopAround(s.body.Block, comm.Pos()) == nil {
			return true
		}
		_, returns := comm.Body[0].(*ast.ReturnStmt)
		call, isCall := received(comm).(*ast.CallExpr)
		if returns && isCall {
			x, isSel := ast.Unparen(call.Fun).(*ast.SelectorExpr)
			found = isSel && x.Sel.Name == "Done" && s.givenContext(s.body, x.X)
		}
		return !found
	})
	return found
}

// sentByStartedMethod is a send on the channel in the field by a literal with which a goroutine begins that the body
// starts in its loop, or a method of the same object that it calls there.
func (s *search) sentByStartedMethod(field *types.Var, recv types.Object) (send *ast.SendStmt, in *accesses.Body) {
	from := func(b *accesses.Body, recv types.Object, n ast.Node) {
		start, ok := n.(*ast.GoStmt)
		if !ok || send != nil {
			return
		}
		lit, ok := ast.Unparen(start.Call.Fun).(*ast.FuncLit)
		if !ok || recoversIn(lit) {
			return
		}
		for _, x := range sendsIn(lit.Body) {
			if s.variable(x.Chan) == field && s.pkg.PlaceOf(x.Chan).Root == recv {
				send, in = x, b
			}
		}
	}
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		if n != nil && inLoop(s.body.Block, n) {
			from(s.body, recv, n)
			if call, ok := n.(*ast.CallExpr); ok && s.receiverOf(call) == (accesses.Place{Root: recv}) {
				if b := s.pkg.ByFunc[s.locks.Callee(call)]; b != nil && b != s.body && b.Func.Signature().Recv() != nil {
					own := types.Object(b.Func.Signature().Recv())
					ast.Inspect(b.Block, func(n ast.Node) bool { from(b, own, n); return send == nil })
				}
			}
		}
		return send == nil
	})
	return send, in
}
