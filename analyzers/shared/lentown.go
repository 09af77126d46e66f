package shared

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity/access"
)

// lentOwn says whether a is about a field of a struct that all callers of b lend it, each
// a local of its own, which may be a copy of what others have: op := s.op; s.prepare(&op).
// What is behind a pointer or in a map may be that of the original.
func (r *Result) lentOwn(b *accesses.Body, a *access.Access) bool {
	if a.Base == nil || a.Var.Contents || b.Func == nil || r.pkg.Exported(b.Func) || r.captured[a.Base] > Private {
		return false
	}
	if sel, ok := ast.Unparen(a.Cell).(*ast.SelectorExpr); !ok || !r.names(sel.X, a.Base) {
		return false
	}
	if _, started := r.published[a.Base]; started || !r.isParam(b, a.Base) {
		return false
	}
	for _, h := range r.handed[a.Base] {
		if !h.own {
			return false
		}
	}
	return len(r.handed[a.Base]) > 0
}

// ownStruct says whether the argument of the call is the address of a local struct of b,
// which b has given to nobody before, nor to a goroutine.
func (r *Result) ownStruct(b *accesses.Body, call *ast.CallExpr, arg ast.Expr) bool {
	v := r.addressed(arg)
	if v == nil || v.IsField() || accesses.IsGlobal(v) || v.Pos() < b.Node.Pos() || b.Node.End() <= v.Pos() {
		return false
	}
	if _, isStruct := v.Type().Underlying().(*types.Struct); !isStruct || r.captured[v] > Private || r.cells[v] > Private {
		return false
	}
	if _, started := r.published[v]; started {
		return false
	}
	before := false
	ast.Inspect(b.Block, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok && e.Pos() < call.Pos() && r.addressed(e) == v {
			before = true
		}
		return !before
	})
	return !before
}

// addressed is the variable whose address e is, or nil.
func (r *Result) addressed(e ast.Expr) *types.Var {
	u, ok := ast.Unparen(e).(*ast.UnaryExpr)
	if !ok || u.Op != token.AND {
		return nil
	}
	id, ok := ast.Unparen(u.X).(*ast.Ident)
	if !ok {
		return nil
	}
	v, _ := r.pkg.Info.ObjectOf(id).(*types.Var)
	return v
}
