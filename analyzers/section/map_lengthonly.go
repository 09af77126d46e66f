package section

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/atomrace/atomrace/atomicity/access"
)

// lengthOnly says whether the access is a read of how many entries a map has, as in
// if len(c.items) >= c.most { c.evict() }: it does not look again whether there is an entry
// for the key of e, unless it tells that there is none at all, or is compared for equality.
func (s *search) lengthOnly(cond ast.Expr, a *access.Access, e *occurrence) bool {
	f := &finding{search: s}
	if b, ok := ast.Unparen(cond).(*ast.BinaryExpr); ok && (b.Op == token.EQL || b.Op == token.NEQ || f.isZero(b.X) || f.isZero(b.Y)) {
		return false // whether it is the same length as before tells of a map that only grows
	}
	if e.Kind != access.MapElement || e.key == allKeys {
		return false
	}
	o := s.occ[a]
	if o == nil || o.Kind != access.MapWhole && o.Kind != access.Cell {
		return false
	}
	src := o.source()
	if src.Func == nil || src.Func.Node == nil {
		return false
	}
	length := false
	ast.Inspect(src.Func.Node, func(n ast.Node) bool {
		if n == nil || src.Pos() < n.Pos() || n.End() <= src.Pos() {
			return false
		}
		if call, ok := n.(*ast.CallExpr); ok && len(call.Args) == 1 && s.isLen(call) && (ast.Unparen(call.Args[0]) == ast.Unparen(src.Expr) || ast.Expr(call) == src.Expr) {
			length = true
		}
		return !length
	})
	return length
}

// isLen says whether the call is one of len.
func (s *search) isLen(call *ast.CallExpr) bool {
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok {
		return false
	}
	b, ok := s.pkg.Info.Uses[id].(*types.Builtin)
	return ok && b.Name() == "len"
}
