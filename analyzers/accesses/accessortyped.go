package accesses

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// asserted is the look into a sync.Map, or the change of an entry, of a function that does nothing else but to give what is
// found its type:
//
//	v, ok := t.m.Load(k)
//	if !ok { return nil, false }
//	return v.(*entry), true
//
// It is nil for others.
func (in *inliner) asserted(list []ast.Stmt, a *accessor) ast.Expr {
	def, ok := list[0].(*ast.AssignStmt)
	if !ok || len(list) < 2 || def.Tok != token.DEFINE || len(def.Lhs) != 2 || len(def.Rhs) != 1 {
		return nil
	}
	call, ok := def.Rhs[0].(*ast.CallExpr)
	if !ok || !in.plainly(call, a) {
		return nil
	}
	v, ok := def.Lhs[0].(*ast.Ident)
	if !ok {
		return nil
	}
	gives, typed := true, false
	for _, s := range list[1:] {
		ast.Inspect(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ReturnStmt:
				gives = gives && len(n.Results) == 2
			case *ast.TypeAssertExpr:
				id, ok := n.X.(*ast.Ident)
				typed = typed || ok && in.info.Uses[id] == in.info.Defs[v]
			case *ast.CallExpr, *ast.SelectorExpr, *ast.AssignStmt, *ast.ForStmt, *ast.RangeStmt, *ast.FuncLit, *ast.GoStmt, *ast.DeferStmt, *ast.SendStmt:
				gives = false
			case *ast.Ident:
				w, ok := in.info.Uses[n].(*types.Var)
				gives = gives && !(ok && slices.Contains(a.params, w))
			}
			return gives
		})
	}
	if _, returns := list[len(list)-1].(*ast.ReturnStmt); !returns || !gives || !typed {
		return nil
	}
	return call
}
