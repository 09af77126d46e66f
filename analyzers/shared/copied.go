package shared

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity/access"
	"github.com/atomrace/atomrace/internal/pattern"
)

// copied says whether a is about a field of an object that the body has made a copy of for
// itself, on every way to a, whatever the variable referred to before: cfg = cfg.Clone().
// What is behind a pointer or in a map may be that of the original.
func (r *Result) copied(b *accesses.Body, a *access.Access) bool {
	if a.Base == nil || a.Var.Contents || r.captured[a.Base] > Private {
		return false
	}
	if sel, ok := ast.Unparen(a.Cell).(*ast.SelectorExpr); !ok || !r.names(sel.X, a.Base) {
		return false
	}
	var last token.Pos // of what is assigned to the variable
	ast.Inspect(b.Block, func(n ast.Node) bool {
		if s, ok := n.(*ast.AssignStmt); ok && slices.ContainsFunc(s.Lhs, func(l ast.Expr) bool { return r.names(l, a.Base) }) {
			last = max(last, s.Pos())
		}
		return true
	})
	found := false
	in := func(list []ast.Stmt) {
		for i, s := range list {
			if s.Pos() == last && i+1 < len(list) && list[i+1].Pos() <= a.Pos() && a.Pos() < list[len(list)-1].End() {
				found = r.copies(s, a.Base)
			}
		}
	}
	ast.Inspect(b.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			in(n.List)
		case *ast.CaseClause:
			in(n.Body)
		case *ast.CommClause:
			in(n.Body)
		}
		return !found
	})
	return found
}

func (r *Result) names(e ast.Expr, v types.Object) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && r.pkg.Info.ObjectOf(id) == v
}

// copies says whether the statement makes v a copy.
func (r *Result) copies(s ast.Stmt, v types.Object) bool {
	assign, ok := s.(*ast.AssignStmt)
	if !ok || len(assign.Rhs) != 1 || !r.names(assign.Lhs[0], v) {
		return false
	}
	call, ok := ast.Unparen(assign.Rhs[0]).(*ast.CallExpr)
	if !ok {
		return false
	}
	fn := r.locks.Callee(call)
	return fn != nil && r.pkg.ByFunc[fn] == nil && copying.MatchString(fn.Name())
}

// copying are names of functions of other packages whose result is nobody else's.
var copying = pattern.New(`^(Clone|Copy|DeepCopy)$`)
