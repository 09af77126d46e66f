package accesses

import (
	"go/ast"
	"go/token"
	"go/types"
)

// passing are the locals of fn that are used in the statement right after the one that
// defines them, and nowhere else.
func (p *Package) passing(fn ast.Node) map[types.Object]bool {
	uses, after := map[types.Object]int{}, map[types.Object]int{}
	pair := func(list []ast.Stmt) {
		for i, s := range list[:max(0, len(list)-1)] {
			def, ok := s.(*ast.AssignStmt)
			if !ok || def.Tok != token.DEFINE || len(def.Lhs) != 1 {
				continue
			}
			if id, ok := def.Lhs[0].(*ast.Ident); ok && p.Info.Defs[id] != nil {
				after[p.Info.Defs[id]] = p.usesAtOnce(list[i+1], p.Info.Defs[id])
			}
		}
	}
	ast.Inspect(fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			if obj := p.Info.Uses[n]; obj != nil {
				uses[obj]++
			}
		case *ast.BlockStmt:
			pair(n.List)
		case *ast.CaseClause:
			pair(n.Body)
		case *ast.CommClause:
			pair(n.Body)
		}
		return true
	})
	passing := map[types.Object]bool{}
	for obj, n := range after {
		passing[obj] = n > 0 && n == uses[obj]
	}
	return passing
}

// usesAtOnce counts the uses of the local in the statement, before anything that it consists
// of is executed.
func (p *Package) usesAtOnce(s ast.Stmt, obj types.Object) (n int) {
	ast.Inspect(s, func(c ast.Node) bool {
		switch c := c.(type) {
		case *ast.FuncLit, *ast.BlockStmt, *ast.ForStmt:
			return false
		case *ast.Ident:
			if p.Info.Uses[c] == obj {
				n++
			}
		}
		return true
	})
	return n
}
