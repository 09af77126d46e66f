package section

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/atomicity/access"
)

// asksForPresence says whether the body looks the key up to see whether there is an entry, or
// to use it, and no condition asks for anything that is in it:
//
//	s, ok := x.sessions[id]
//	if !ok { continue }
func (s *search) asksForPresence(look *occurrence) bool {
	if _, ok := ast.Unparen(look.Expr).(*ast.IndexExpr); !ok || look.Kind != access.MapElement || look.via != nil {
		return false
	}
	var entries []types.Object
	for obj, list := range s.values.assigns {
		if !isBoolean(obj.Type()) && slices.ContainsFunc(list, func(d assignment) bool { return ast.Unparen(d.value) == ast.Unparen(look.Expr) }) {
			entries = append(entries, obj)
		}
	}
	for _, conds := range s.body.Conds {
		if slices.ContainsFunc(conds, func(c ast.Expr) bool { return s.asksForMore(c, look, entries, 0) }) {
			return false
		}
	}
	return true
}

// asksForMore says whether the condition depends on what look has found, or what is in one
// of the entries, beyond whether it is nil.
func (s *search) asksForMore(cond ast.Expr, look *occurrence, entries []types.Object, depth int) bool {
	found := false
	ast.Inspect(cond, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if (n.Op == token.EQL || n.Op == token.NEQ) && (s.pkg.Info.Types[n.X].IsNil() || s.pkg.Info.Types[n.Y].IsNil()) {
				return false
			}
		case *ast.IndexExpr:
			found = found || ast.Expr(n) == ast.Unparen(look.Expr)
		case *ast.Ident:
			obj := s.pkg.Info.ObjectOf(n)
			if slices.Contains(entries, obj) {
				found = true
			} else if depth < 2 {
				for _, d := range s.values.assigns[obj] {
					found = found || ast.Unparen(d.value) != ast.Unparen(look.Expr) && s.asksForMore(d.value, look, entries, depth+1)
				}
			}
		}
		return !found
	})
	return found
}
