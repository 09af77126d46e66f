package shared

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
)

// sends raises a local whose object is sent over a channel and used afterwards: whoever
// receives it has it as well then. That they use it at one time is not known of any
// object, but of one that has a mutex.
func (r *Result) sends(b *accesses.Body, send *ast.SendStmt, raise func(types.Object, Reach)) {
	e := ast.Unparen(send.Value)
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND {
		e = ast.Unparen(u.X)
	} else if t := r.pkg.Info.TypeOf(e); t == nil || !isPointerLike(t) {
		return // a copy
	}
	id, ok := e.(*ast.Ident)
	if !ok {
		return
	}
	v, ok := r.pkg.Info.ObjectOf(id).(*types.Var)
	if !ok || v.IsField() || accesses.IsGlobal(v) || v.Pos() < b.Block.Pos() || r.received(v.Type()) != Meant {
		return
	}
	for _, pos := range r.usedAt[v] {
		if pos > send.End() && pos < b.Block.End() {
			raise(v, Meant)
			r.publish(b, v, send)
			return
		}
	}
}
