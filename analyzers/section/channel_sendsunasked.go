package section

import (
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
)

// sendsUnasked says whether the body is an exported method that comes to its send whatever is the
// case, as soon as it has the lock, though the closing body b leaves something by which it can be told
// that the channel is closed: a flag that it sets, or another channel of the object that it closes.
//
//	t.mu.RLock()
//	defer t.mu.RUnlock()
//	t.in <- x // elsewhere, under t.mu: t.closed = true; close(t.in)
//
// The lock keeps the two apart, and no more: the send may come second.
func (s *search) sendsUnasked(ch *occurrence, b *accesses.Body) bool {
	fn := s.body.Func
	if fn == nil || !fn.Exported() || !s.leavesWord(ch, b) {
		return false
	}
	unasked, over := true, false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		if n == nil || over || n.Pos() > ch.Pos() {
			return false
		}
		around := n.Pos() <= ch.Pos() && ch.Pos() < n.End()
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.SelectStmt:
			unasked = unasked && around
		case *ast.CommClause:
			return around
		case *ast.IfStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.ForStmt, *ast.RangeStmt, *ast.BranchStmt, *ast.ReturnStmt:
			unasked = false
		case *ast.UnaryExpr:
			unasked = unasked && (around || n.Op.String() != "<-")
		case *ast.CallExpr:
			called := s.locks.Callee(n)
			unasked = unasked && (called == nil || s.pkg.ByFunc[called] == nil)
		}
		return unasked
	})
	return unasked
}

// leavesWord says whether the body that closes the channel, or who calls it, sets a flag of the object,
// or whether it closes another one of its channels.
func (s *search) leavesWord(ch *occurrence, b *accesses.Body) bool {
	if use := s.channels()[ch.Var]; use != nil {
		for v := range use.closedWith {
			if v != ch.Var && isFlag(v) {
				return true
			}
		}
	}
	found := false
	s.inState(b, func() {
		for _, c := range s.closeCalls() {
			other := c.channel
			if other.Var != ch.Var && other.place.Valid() && other.Var.Obj.IsField() && types.Identical(other.place.Root.Type(), ch.place.Root.Type()) {
				found = true
			}
		}
	})
	return found
}
