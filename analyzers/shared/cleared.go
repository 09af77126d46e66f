package shared

import (
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/atomicity/access"
)

// clears says whether the write stores nil or, for a slice, a part of it.
func (r *Result) clears(a *access.Access) bool {
	s, ok := a.Stmt.(*ast.AssignStmt)
	if !ok || len(s.Lhs) != len(s.Rhs) {
		return false
	}
	for i, l := range s.Lhs {
		if ast.Unparen(l) != a.Expr {
			continue
		}
		return r.isPart(s.Rhs[i]) || r.pkg.Info.Types[s.Rhs[i]].IsNil()
	}
	return false
}

// isPart says whether the value is a part of a slice: x[1:], append(x[:i], x[i+1:]...), or what
// slices.Delete leaves.
func (r *Result) isPart(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.SliceExpr:
		return true
	case *ast.CallExpr:
		if len(e.Args) < 2 {
			return false
		}
		if id, ok := ast.Unparen(e.Fun).(*ast.Ident); ok {
			bi, _ := r.pkg.Info.Uses[id].(*types.Builtin)
			_, head := ast.Unparen(e.Args[0]).(*ast.SliceExpr)
			_, tail := ast.Unparen(e.Args[1]).(*ast.SliceExpr)
			return bi != nil && bi.Name() == "append" && e.Ellipsis.IsValid() && head && tail
		}
		fn := r.locks.Callee(e)
		return fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "slices" && (fn.Name() == "Delete" || fn.Name() == "DeleteFunc")
	}
	return false
}
