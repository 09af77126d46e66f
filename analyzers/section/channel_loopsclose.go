package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
)

// loopsClose finds objects of which a function starts two methods side by side, where the one closes a
// channel of the object whenever it ends, and the other one does so because of an error of its own:
//
//	go c.read()  // defer close(c.done)
//	go c.write() // if err := c.conn.Send(b); err != nil { close(c.done); return }
//
// The end of the one is mostly an error for the other: it closes the channel once more, and panics.
func (s *search) loopsClose() {
	type started struct {
		fn    *types.Func
		block int
	}
	on := map[string][]started{}
	var order []string
	for block, events := range s.body.Events {
		for _, ev := range events {
			g, ok := ev.Node.(*ast.GoStmt)
			if !ok || ev.Kind != accesses.OnGo {
				continue
			}
			sel, ok := ast.Unparen(g.Call.Fun).(*ast.SelectorExpr)
			fn := s.locks.Callee(g.Call)
			if !ok || s.pkg.ByFunc[fn] == nil || fn.Signature().Recv() == nil || !s.pkg.PlaceOf(sel.X).Valid() {
				continue
			}
			x := types.ExprString(sel.X)
			if on[x] == nil {
				order = append(order, x)
			}
			on[x] = append(on[x], started{fn, block})
		}
	}
	for _, x := range order {
		for _, a := range on[x] {
			for _, b := range on[x] {
				if a.fn != b.fn && a.block == b.block && s.bothLoopsClose(s.pkg.ByFunc[a.fn], s.pkg.ByFunc[b.fn]) {
					return
				}
			}
		}
	}
}

// bothLoopsClose reports a channel that the first body closes in any case, and the second one because of
// an error.
func (s *search) bothLoopsClose(always, perhaps *accesses.Body) bool {
	var ends ast.Node
	var ch *types.Var
	for v, at := range s.closesWhenOver(always) {
		if ch == nil || v.Pos() < ch.Pos() {
			ch, ends = v, at
		}
	}
	if ch == nil {
		return false
	}
	told := false
	s.inState(perhaps, func() {
		for _, c := range append(s.closeCalls(), s.deferredCloses()...) {
			if c.channel.Var.Obj != ch || len(c.held) > 0 || c.held.Holds(locks.Once) || c.channel.place.Root != types.Object(perhaps.Func.Signature().Recv()) ||
				s.recovers() || s.replacedHere(c) || s.lookedAt(c) != nil || !s.ownErrorAlone(c) || s.saidLooked(c.call) || s.receivesBefore(c) {
				continue
			}
			d := s.direct("testuse", "double-close", c.channel.Access, c.call.Pos(), ends.Pos())
			d.Name = s.pkg.Name(c.channel.Var)
			d.Roles = [2]string{"closed", "closed again"}
			d.Message = fmt.Sprintf("%s is closed here, and by %s of another goroutine whenever that ends: nothing is looked at before, and the second close panics",
				types.ExprString(c.channel.Expr), always.Fn.Name)
			s.tell(d, c.channel, c.channel.Access)
			told = true
			return
		}
	})
	return told
}

// receivesBefore says whether the body has seen the end of the channel, by a receive of its own that is
// no arm of a select, before it closes it.
func (s *search) receivesBefore(c closeCall) bool {
	found := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		u, ok := n.(*ast.UnaryExpr)
		found = found || ok && u.Op == token.ARROW && u.Pos() < c.call.Pos() && s.pkg.PlaceOf(u.X) == c.channel.place && !s.inSelect(u)
		return !found
	})
	return found
}

// closesWhenOver are the channels of the receiver that the body of a method closes whenever it returns, by a
// deferred call or in a literal that is deferred, whatever the case.
func (s *search) closesWhenOver(b *accesses.Body) map[*types.Var]ast.Node {
	list := map[*types.Var]ast.Node{}
	recv := types.Object(b.Func.Signature().Recv())
	note := func(call *ast.CallExpr) {
		if s.closeOf(call) == nil {
			return
		}
		if sel, ok := ast.Unparen(call.Args[0]).(*ast.SelectorExpr); ok {
			if id := identOf(sel.X); id != nil && s.pkg.Info.Uses[id] == recv {
				if v := s.variable(sel); v != nil {
					list[v] = call
				}
			}
		}
	}
	if recoversIn(b.Block) {
		return nil
	}
	for _, st := range b.Block.List {
		d, ok := st.(*ast.DeferStmt)
		if !ok {
			continue
		}
		note(d.Call)
		lit, ok := ast.Unparen(d.Call.Fun).(*ast.FuncLit)
		if !ok || s.takesAnyIn(lit) {
			continue
		}
		for _, inner := range lit.Body.List {
			if e, ok := inner.(*ast.ExprStmt); ok {
				if call, ok := e.X.(*ast.CallExpr); ok {
					note(call)
				}
			}
		}
	}
	return list
}

// takesAnyIn says whether the literal takes a lock.
func (s *search) takesAnyIn(lit *ast.FuncLit) bool {
	found := false
	ast.Inspect(lit.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if ok {
			sel, isSel := ast.Unparen(call.Fun).(*ast.SelectorExpr)
			found = found || isSel && sel.Sel.Name == "Lock"
		}
		return !found
	})
	return found
}
