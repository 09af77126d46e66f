package section

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// writtenByTimer says whether the variable is a local which the function of a timer writes, too, and
// where the body comes to the end while the timer is set:
//
//	for {
//		failures++
//		timer = time.AfterFunc(quiet, func() { failures = 0 })
//		…
//	}
//
// The timer's function runs in a goroutine of its own, and Stop does not wait for it. Where the body
// waits, or looks at what Stop says, or where the function tells of its end or takes a lock, they may
// have agreed on something.
func (f *finding) writtenByTimer(end *hit) bool {
	v := f.entry.Var.Obj
	if v.IsField() || accesses.IsGlobal(v) || f.entry.via != nil || end.via != nil || f.entry.Kind != access.Cell || f.asksStop() || f.waitedBefore(end.occurrence) {
		return false
	}
	for block, events := range f.body.Events {
		for index, ev := range events {
			call, ok := ev.Node.(*ast.CallExpr)
			if !ok || ev.Kind != accesses.OnCall {
				continue
			}
			lit := f.timerFunc(call)
			if lit == nil || !f.writesBare(lit, f.entry.Var) {
				continue
			}
			at := &occurrence{Access: &access.Access{}, block: block, index: index}
			if f.leadsTo(at, end.occurrence) && (f.pkg.Order(call.End()) <= f.pkg.Order(end.Pos()) || !f.madeEachTurn(v, call)) {
				return true
			}
		}
	}
	return false
}

// timerFunc is the literal that the call has a timer run, if it does.
func (s *search) timerFunc(call *ast.CallExpr) *accesses.Body {
	fn := s.locks.Callee(call)
	if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "time" || fn.Name() != "AfterFunc" || len(call.Args) != 2 {
		return nil
	}
	return s.pkg.ByNode[ast.Unparen(call.Args[1])]
}

// writesBare says whether the literal writes the variable with no lock held, and neither takes one
// nor tells anybody of it.
func (s *search) writesBare(lit *accesses.Body, v access.Var) bool {
	st := s.stateOf(lit)
	if !slices.ContainsFunc(st.order, func(w *occurrence) bool {
		return w.Var == v && w.Mode == atomicity.Write && w.via == nil && len(w.held) == 0
	}) {
		return false
	}
	tells := false
	s.locks.Walk(lit, func(_, _ int, ev accesses.Event, held locks.Set) {
		tells = tells || len(held) > 0 || ev.Kind == accesses.OnSend || ev.Kind == accesses.OnReceive || ev.Kind == accesses.OnCall && s.closeOf(ev.Node) != nil || s.endTold(ev).Root != nil
	})
	return !tells
}

// asksStop says whether the function uses what Stop of a timer says.
func (s *search) asksStop() bool {
	asks := false
	ast.Inspect(s.body.Fn.Node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ExprStmt:
			call, ok := ast.Unparen(n.X).(*ast.CallExpr)
			return !ok || !stopsTimer(s.locks.Callee(call))
		case *ast.DeferStmt:
			return !stopsTimer(s.locks.Callee(n.Call))
		case *ast.CallExpr:
			asks = asks || stopsTimer(s.locks.Callee(n))
		}
		return !asks
	})
	return asks
}

// madeEachTurn says whether the local is declared in a loop that has the node, so that each turn has
// another one.
func (s *search) madeEachTurn(v types.Object, n ast.Node) bool {
	inside := false
	ast.Inspect(s.body.Fn.Node, func(m ast.Node) bool {
		var block *ast.BlockStmt
		switch m := m.(type) {
		case *ast.ForStmt:
			block = m.Body
		case *ast.RangeStmt:
			block = m.Body
		default:
			return !inside
		}
		has := func(pos token.Pos) bool { return block.Pos() <= pos && pos < block.End() }
		inside = inside || has(v.Pos()) && has(n.Pos())
		return !inside
	})
	return inside
}
