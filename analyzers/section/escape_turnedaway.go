package section

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// turnedAway says whether control does not come from w to o, although the graph has a way: where
// w lies, a local is set to true, false or nil, and what is asked of it later leads to o only if
// it is something else.
//
//	if ok && e.expired() {
//		s.remove(e) // w
//		ok = false
//	}
//	if !ok {
//		return
//	}
//	use(e) // o
func (s *search) turnedAway(w, o *occurrence) bool {
	found := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		block, ok := n.(*ast.BlockStmt)
		if !ok || found || s.pkg.Order(block.Pos()) > s.pkg.Order(w.Pos()) || s.pkg.Order(w.Pos()) > s.pkg.Order(block.End()-1) {
			return !found
		}
		for _, stmt := range block.List {
			set, ok := stmt.(*ast.AssignStmt)
			if !ok || set.Tok != token.ASSIGN || len(set.Lhs) != 1 || len(set.Rhs) != 1 {
				continue
			}
			id, ok := set.Lhs[0].(*ast.Ident)
			if ok && !s.atTop(block) {
				found = found || s.asksOtherwise(id, set, o)
			}
		}
		return !found
	})
	return found
}

// atTop says whether the block is the whole body.
func (s *search) atTop(block *ast.BlockStmt) bool { return block == s.body.Block }

// asksOtherwise says whether a test after the assignment, of what it has set, decides about o, and
// leads there only for another value.
func (s *search) asksOtherwise(id *ast.Ident, set *ast.AssignStmt, o *occurrence) bool {
	local := s.pkg.Info.ObjectOf(id)
	value := s.pkg.Info.Types[set.Rhs[0]]
	isBool := value.Value != nil && value.Value.Kind() == constant.Bool
	if local == nil || !isBool && !value.IsNil() {
		return false
	}
	for test, conds := range s.body.Conds {
		decides, edge := s.decides(test, o.block)
		if !decides || len(conds) != 1 || s.pkg.Order(conds[0].Pos()) < s.pkg.Order(set.End()) || s.setBetween(local, set, conds[0]) {
			continue
		}
		cond, not := asked(conds[0])
		if isBool && s.isObject(cond, local) && ((edge == 0) != not) != constant.BoolVal(value.Value) {
			return true
		}
		if x, ok := cond.(*ast.BinaryExpr); ok && !isBool && s.isObject(x.X, local) && s.pkg.Info.Types[x.Y].IsNil() {
			isNil := x.Op == token.EQL && !not || x.Op == token.NEQ && not
			if (x.Op == token.EQL || x.Op == token.NEQ) && isNil != (edge == 0) {
				return true
			}
		}
	}
	return false
}

// setBetween says whether the local is set once more between the assignment and the condition.
func (s *search) setBetween(local types.Object, set *ast.AssignStmt, cond ast.Expr) bool {
	for _, d := range s.values.assigns[local] {
		if d.at > s.pkg.Order(set.End()) && d.at <= s.pkg.Order(cond.Pos()) {
			return true
		}
	}
	return false
}
