package section

import (
	"go/ast"
	"go/token"

	"github.com/atomrace/atomrace/analyzers/accesses"
)

// waitedBefore says whether the body waits for other goroutines, or for a signal
// of theirs, on its way to o: they may be over by then. A message that one arm of a
// select takes, turn by turn, says nothing of the kind: who sends it goes on.
func (s *search) waitedBefore(o *occurrence) bool {
	for block, events := range s.body.Events {
		for _, ev := range events {
			if ev.Node == nil || s.before(o, ev) {
				continue
			}
			switch ev.Kind {
			case accesses.OnReceive:
				if !s.isTick(ev.Node) && s.pkg.Order(ev.Node.End()) <= s.pkg.Order(o.Pos()) && !s.inAnotherArm(ev.Node, o.Pos()) && !s.takenByTurns(ev.Node, block, o) {
					return true
				}
			case accesses.OnCall:
				if fn := s.locks.Callee(ev.Node.(*ast.CallExpr)); fn != nil && fn.Name() == "Wait" && s.pkg.Order(ev.Node.End()) <= s.pkg.Order(o.Pos()) {
					return true
				}
			}
		}
	}
	return false
}

// takenByTurns says whether an arm of a select receives at n, in the given block, and control comes back to it
// after o.
func (s *search) takenByTurns(n ast.Node, block int, o *occurrence) bool {
	arm := false
	ast.Inspect(s.body.Block, func(m ast.Node) bool {
		c, ok := m.(*ast.CommClause)
		arm = arm || ok && c.Comm != nil && c.Comm.Pos() <= n.Pos() && n.End() <= c.Comm.End()
		return !arm
	})
	return arm && s.reaches(s.body.CFG.Blocks[o.block], -1)[block]
}

// inAnotherArm says whether n is what one arm of a select waits for, and pos lies in another arm of it.
func (s *search) inAnotherArm(n ast.Node, pos token.Pos) bool {
	found := false
	ast.Inspect(s.body.Block, func(m ast.Node) bool {
		sel, ok := m.(*ast.SelectStmt)
		if !ok || pos < sel.Pos() || sel.End() <= pos {
			return !found
		}
		for _, c := range sel.Body.List {
			if c, ok := c.(*ast.CommClause); ok && c.Comm != nil && c.Comm.Pos() <= n.Pos() && n.End() <= c.Comm.End() {
				found = pos < c.Pos() || c.End() <= pos
			}
		}
		return !found
	})
	return found
}

// isTick says whether n receives from a timer, which tells nothing of other goroutines.
func (s *search) isTick(n ast.Node) bool {
	u, ok := n.(*ast.UnaryExpr)
	return ok && isTime(s.pkg.Info.TypeOf(u))
}
