package shared

import (
	"go/ast"
	"go/token"

	"github.com/atomrace/atomrace/analyzers/accesses"
)

// inLoop says whether n lies in a loop of b, and may be come to in each turn: not where what
// comes after it leaves the function.
func inLoop(b *accesses.Body, n ast.Node) bool { return loopAround(b, n) != nil }

// loopAround is the outermost loop statement of b that may come to n in each turn, or nil.
func loopAround(b *accesses.Body, n ast.Node) ast.Stmt {
	var loop ast.Stmt
	list := func(list []ast.Stmt) {
		if leavesAfter(list, n) {
			loop = nil
		}
	}
	ast.Inspect(b.Block, func(m ast.Node) bool {
		if m == nil || m.Pos() > n.Pos() || m.End() < n.End() {
			return false
		}
		switch m := m.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ForStmt, *ast.RangeStmt:
			if loop == nil {
				loop = m.(ast.Stmt)
			}
		case *ast.BlockStmt:
			list(m.List)
		case *ast.CaseClause:
			list(m.Body)
		case *ast.CommClause:
			list(m.Body)
		}
		return true
	})
	return loop
}

// leavesAfter says whether the statements end with a return behind the one that has n in it, and
// none of them goes elsewhere before that.
func leavesAfter(list []ast.Stmt, n ast.Node) bool {
	if len(list) == 0 || n.Pos() < list[0].Pos() {
		return false
	}
	if _, ok := list[len(list)-1].(*ast.ReturnStmt); !ok {
		return false
	}
	elsewhere := false
	for _, stmt := range list {
		ast.Inspect(stmt, func(m ast.Node) bool {
			if _, ok := m.(*ast.FuncLit); ok {
				return false
			}
			if branch, ok := m.(*ast.BranchStmt); ok && branch.End() > n.End() {
				elsewhere = elsewhere || branch.Tok == token.CONTINUE || branch.Tok == token.GOTO || branch.Label != nil
			}
			return true
		})
	}
	return !elsewhere
}
