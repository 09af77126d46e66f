package section

import (
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/atomicity"
)

// replacesFailed says whether the end puts another object in the place of the one that the
// entry has read because a call of that one's method has failed: of two goroutines that have
// seen it fail, the second replaces the one which the first has just put there.
func (f *finding) replacesFailed(end *hit) bool {
	switch f.entry.Var.Obj.Type().Underlying().(type) {
	case *types.Pointer, *types.Interface:
	default:
		return false
	}
	if end.Mode != atomicity.Write {
		return false
	}
	for block, conds := range f.body.Conds {
		if len(conds) != 1 || !f.asksForError(conds) {
			continue
		}
		if decides, _ := f.decides(block, end.block); !decides {
			continue
		}
		id, ok := ast.Unparen(ast.Unparen(conds[0]).(*ast.BinaryExpr).X).(*ast.Ident)
		if !ok {
			continue
		}
		for _, d := range f.values.assigns[f.pkg.Info.ObjectOf(id)] {
			call, ok := ast.Unparen(d.value).(*ast.CallExpr)
			if !ok || d.at > f.pkg.Order(conds[0].Pos()) {
				continue
			}
			sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
			if !ok {
				continue
			}
			if x, ok := ast.Unparen(sel.X).(*ast.Ident); ok && f.values.of(x)[f.entry.Access] {
				return true
			}
		}
	}
	return false
}
