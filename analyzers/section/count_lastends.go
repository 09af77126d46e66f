package section

import (
	"go/ast"
	"go/token"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/atomicity/access"
)

// lastEnds says whether the count is one of users, which others count in, and the load after the
// subtraction decides, by the count being zero, about an end of what they use:
//
//	c.users.Add(-1)
//	if c.users.Load() == 0 { c.conn.Close() }   // if c.users.Add(-1) == 0 { … }
//
// Nobody would count them atomically if they came one after the other, and the last two can both
// find it at zero.
func (s *search) lastEnds(down, load *occurrence) bool {
	if down.via != nil || load.via != nil || s.step(down) >= 0 || s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || s.shared.Single(s.body) || s.recovers() || s.decidedAfresh(down, load) || s.oneHold(down, load) {
		return false
	}
	return s.endedOnZero(load) && slices.ContainsFunc(s.ownAccesses(down.Var), func(up placed) bool { return s.step(up.occurrence) > 0 })
}

// alone says whether the access is a statement of its own: its result is not looked at.
func alone(a *access.Access) bool {
	stmt, ok := a.Stmt.(*ast.ExprStmt)
	return ok && ast.Unparen(stmt.X) == ast.Unparen(a.Expr)
}

// decidedAfresh says whether another operation on the count follows the look, as one that tells
// who comes first.
func (s *search) decidedAfresh(down, look *occurrence) bool {
	for _, o := range s.order {
		if o != look && o != down && o.Var == look.Var && s.leadsTo(down, o) && !s.leadsTo(o, down) {
			return true
		}
	}
	return false
}

// endedOnZero says whether something ends where the look has found zero, and nothing else decides
// about that after the look.
func (s *search) endedOnZero(look *occurrence) (ended bool) {
	for _, test := range s.testsOf(look.Access, true) {
		edge := s.zeroEdge(test)
		if edge < 0 {
			continue
		}
		s.locks.Walk(s.body, func(block, _ int, ev accesses.Event, held locks.Set) {
			call, ok := ev.Node.(*ast.CallExpr)
			if ended || !ok || ev.Kind != accesses.OnCall || held.Any() || held.Holds(locks.Once) || s.inSelect(call) {
				return
			}
			if decides, at := s.decides(test, block); !decides || at != edge || s.decidesBesides(test, block, look) {
				return
			}
			sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
			ended = s.closeOf(call) != nil || ok && endings.MatchString(sel.Sel.Name)
		})
	}
	return ended
}

// zeroEdge is the edge of the test on which the left side of its comparison with zero is zero, or -1.
func (s *search) zeroEdge(test int) int {
	conds := s.body.Conds[test]
	if len(conds) != 1 || len(s.body.CFG.Blocks[test].Succs) != 2 {
		return -1
	}
	b, ok := ast.Unparen(conds[0]).(*ast.BinaryExpr)
	if !ok || constSign(s.pkg.Info.Types[b.Y].Value) != 0 {
		return -1
	}
	switch b.Op {
	case token.EQL, token.LEQ:
		return 0
	case token.NEQ, token.GTR:
		return 1
	}
	return -1
}

// decidesBesides says whether another test after the look decides about the block.
func (s *search) decidesBesides(test, block int, look *occurrence) bool {
	for other, conds := range s.body.Conds {
		if other == test || len(conds) == 0 || conds[0].Pos() < look.Pos() {
			continue
		}
		if ok, _ := s.decides(other, block); ok {
			return true
		}
	}
	return false
}
