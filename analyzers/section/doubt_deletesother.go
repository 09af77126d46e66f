package section

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// deletesOther says whether the end deletes an entry of a sync.Map because the entry has
// been found to hold one certain object, while another function puts another object in
// its place: that one is deleted, which CompareAndDelete would leave.
func (f *finding) deletesOther(end *hit) bool {
	return f.entry.Kind == access.SyncMap && end.Kind == access.SyncMap && end.Method == "Delete" && end.via == nil && f.entry.via == nil &&
		f.foundToBe(end) && f.overwritten()
}

// foundToBe says whether the end is reached where the entry's value is the very object
// that the function was given, or has made.
func (f *finding) foundToBe(end *hit) bool {
	for _, test := range f.trail.tests {
		decides, edge := f.decides(test, end.block)
		if !decides || len(f.body.Conds[test]) != 1 {
			continue
		}
		all, equal := token.LAND, token.EQL
		if edge == 1 {
			all, equal = token.LOR, token.NEQ
		}
		for _, part := range operands(f.body.Conds[test][0], all) {
			b, ok := part.(*ast.BinaryExpr)
			if !ok || b.Op != equal {
				continue
			}
			for _, pair := range [][2]ast.Expr{{b.X, b.Y}, {b.Y, b.X}} {
				_, part := ast.Unparen(pair[0]).(*ast.SelectorExpr)
				if _, mine := f.values.of(pair[0])[f.entry.Access]; mine && !part && f.isReference(pair[0]) && f.isReference(pair[1]) {
					return true
				}
			}
		}
	}
	return false
}

// operands are the parts of e that op joins: a, b and c of a && b && c.
func operands(e ast.Expr, op token.Token) []ast.Expr {
	e = ast.Unparen(e)
	if b, ok := e.(*ast.BinaryExpr); ok && b.Op == op {
		return append(operands(b.X, op), operands(b.Y, op)...)
	}
	return []ast.Expr{e}
}

// isReference says whether e is a pointer, channel or interface, and not nil.
func (f *finding) isReference(e ast.Expr) bool {
	tv := f.pkg.Info.Types[e]
	if tv.IsNil() || tv.Type == nil {
		return false
	}
	switch tv.Type.Underlying().(type) {
	case *types.Pointer, *types.Chan, *types.Interface:
		return true
	}
	return false
}

// overwritten says whether another function stores into the map whatever is there.
func (f *finding) overwritten() bool {
	for _, b := range f.pkg.Bodies {
		if b.Outermost() == f.body.Outermost() || f.shared.Constructing(b) {
			continue
		}
		for _, o := range f.states[b].order {
			if o.Var == f.entry.Var && o.Mode == atomicity.Write && (o.Method == "Store" || o.Method == "Swap") {
				return true
			}
		}
	}
	return false
}
