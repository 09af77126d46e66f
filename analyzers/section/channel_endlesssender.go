package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// endlessSender finds sends, turn by turn, in a goroutine of an object that never ends, on a channel that another
// one closes at its end:
//
//	func (w *window) receive() { for x := range w.in { w.add(x) }; close(w.out) }
//	func (w *window) emit()    { for { time.Sleep(w.slide); w.out <- w.take() } }
//
// There is nothing by which the second one could learn that the channel is closed: it looks at no variable of
// the object before it sends, and waits for nothing but the time.
func (s *search) endlessSender() {
	if s.body.Func == nil || s.body.Func.Signature().Recv() == nil || !s.shared.Spawned(s.body) || s.recovers() {
		return
	}
	recv := types.Object(s.body.Func.Signature().Recv())
	for block, events := range s.body.Events {
		for _, ev := range events {
			send, ok := ev.Node.(*ast.SendStmt)
			if !ok || ev.Kind != accesses.OnSend {
				continue
			}
			ch := s.occurrenceOf(s.pkg.Target(send.Chan))
			loop := endlessLoopAround(s.body.Block, send.Pos())
			if ch == nil || ch.place.Root != recv || loop == nil || !s.neverLeft(loop) || s.asksObject(block) || slices.ContainsFunc(s.found, func(d *Candidate) bool {
				return d.Sure && d.Category == "send-after-check" && d.EndPos == send.Pos()
			}) {
				continue
			}
			end, in := s.closedByOther(ch)
			if end == nil {
				continue
			}
			c := s.direct("testuse", "send-after-check", ch.Access, send.Pos(), end.call.Pos())
			c.Roles = [2]string{"sent on", "closed"}
			c.Message = fmt.Sprintf("%s is closed by %s, at its end, while this loop, which never ends, goes on to send on it: the next send panics", types.ExprString(send.Chan), in.Fn.Name)
			s.tell(c, ch, end.channel.Access)
			return
		}
	}
}

// closedByOther is a close of the channel that another goroutine of the object makes whatever is the case.
func (s *search) closedByOther(ch *occurrence) (end *closeCall, in *accesses.Body) {
	own := s.body
	for _, b := range s.pkg.Bodies {
		if b.Outermost() == own.Outermost() || b.Func == nil || b.Func.Signature().Recv() == nil || !s.shared.Spawned(b) || accesses.TypeName(b.Func.Signature().Recv().Type()) != accesses.TypeName(own.Func.Signature().Recv().Type()) {
			continue
		}
		s.inState(b, func() {
			for _, c := range s.closeCalls() {
				if c.channel != nil && c.channel.via == nil && c.channel.Var == ch.Var && c.channel.place.Path == ch.place.Path && c.channel.place.Root == types.Object(b.Func.Signature().Recv()) &&
					!c.held.Any() && !s.anyDecides(c.block) && !s.replacesChannel(c.channel.place) && !s.recovers() {
					end, in = &c, b
				}
			}
		})
		if end != nil {
			break
		}
	}
	return end, in
}

// neverLeft says whether nothing ends the loop, and it waits for nothing but the time, a lock, and those who receive what it sends.
func (s *search) neverLeft(loop *ast.ForStmt) bool {
	never := true
	ast.Inspect(loop.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			never = false
		case *ast.BranchStmt:
			never = never && n.Label == nil && n.Tok != token.GOTO && (n.Tok != token.BREAK || leavesInner(loop, n))
		case *ast.UnaryExpr:
			never = never && (n.Op != token.ARROW || s.isTick(n))
		case *ast.RangeStmt:
			_, isChan := s.values.underlying(n.X).(*types.Chan)
			never = never && !isChan
		case *ast.CallExpr:
			if id, ok := ast.Unparen(n.Fun).(*ast.Ident); ok && id.Name == "panic" {
				never = false
			}
			if fn := s.locks.Callee(n); fn != nil && ending.MatchString(fn.Name()) {
				never = false
			}
		}
		return never
	})
	return never
}

// leavesInner says whether a loop, a switch or a select inside the loop is what the break leaves.
func leavesInner(loop *ast.ForStmt, leave *ast.BranchStmt) bool {
	inner := false
	ast.Inspect(loop.Body, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
			inner = inner || n.Pos() <= leave.Pos() && leave.End() <= n.End()
		}
		return !inner
	})
	return inner
}

// asksObject says whether a condition that decides about the block reads a flag of the object, or asks a function.
func (s *search) asksObject(block int) bool {
	for test, conds := range s.body.Conds {
		if ok, _ := s.decides(test, block); !ok {
			continue
		}
		for _, cond := range conds {
			asks := false
			ast.Inspect(cond, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				asks = asks || ok && s.locks.Callee(call) != nil
				return !asks
			})
			for a := range s.values.of(cond) {
				v := a.Var.Obj
				asks = asks || v.IsField() && (isBoolean(v.Type()) || a.Kind == access.Atomic) && a.Mode == atomicity.Read
			}
			if asks {
				return true
			}
		}
	}
	return false
}
