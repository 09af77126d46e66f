package section

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/internal/pattern"
)

// logging are the names of functions that write a line for people.
var logging = pattern.New(`(?i)log|print|debug|info|warn|fatal|trace`)

// logged says whether the value read goes into a line of a log and nowhere else: one of
// an earlier moment does no harm there.
func (s *search) logged(o *occurrence) bool {
	found := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		stmt, ok := n.(*ast.ExprStmt)
		if !ok || stmt.Pos() > o.Pos() || stmt.End() < o.End() {
			return !found
		}
		call, ok := ast.Unparen(stmt.X).(*ast.CallExpr)
		if !ok || !logging.MatchString(types.ExprString(call.Fun)) {
			return !found
		}
		found = slices.ContainsFunc(call.Args, func(arg ast.Expr) bool {
			return ast.Unparen(arg) == o.Expr
		})
		return !found
	})
	return found
}

// cameOut says whether o belongs to a struct that a call of this package gave the function
// by value, where the callee puts another one into its place: what was taken out is nobody
// else's.
func (s *search) cameOut(o *occurrence) bool {
	root := o.place.Root
	if root == nil || len(s.values.assigns[root]) != 1 {
		return false
	}
	call, ok := ast.Unparen(s.values.assigns[root][0].value).(*ast.CallExpr)
	if _, isStruct := root.Type().Underlying().(*types.Struct); !ok || !isStruct {
		return false
	}
	b := s.pkg.ByFunc[s.locks.Callee(call)]
	return b != nil && slices.ContainsFunc(s.states[b].order, func(w *occurrence) bool {
		return w.Mode == atomicity.Write && w.via == nil && types.Identical(w.Var.Obj.Type(), root.Type())
	})
}
