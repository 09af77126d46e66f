package section

import (
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/atomicity/access"
)

// isElement says whether e is the local that a loop has for the elements of a slice or map, which are pointers or the like:
// it is not nil, other than what stands for "there is none".
func (v *values) isElement(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return false
	}
	list := v.assigns[v.pkg.Info.ObjectOf(id)]
	if len(list) != 1 || list[0].plain {
		return false
	}
	var elem types.Type
	switch t := v.underlying(list[0].value).(type) {
	case *types.Slice:
		elem = t.Elem()
	case *types.Map:
		elem = t.Elem()
	default:
		return false
	}
	if !types.Identical(elem, v.pkg.Info.TypeOf(id)) {
		return false
	}
	switch elem.Underlying().(type) {
	case *types.Pointer, *types.Interface, *types.Chan, *types.Signature:
		return true
	}
	return false
}

// heaped says whether o is what a function of container/heap does to the variable whose address it is given.
func (o *occurrence) heaped() bool {
	_, call := ast.Unparen(o.Expr).(*ast.CallExpr)
	return call && o.Kind == access.Cell && o.Cell != o.Expr
}

// shown is how the variable of o is written there.
func (o *occurrence) shown() string {
	if o.heaped() {
		return types.ExprString(o.Cell)
	}
	return types.ExprString(o.Expr)
}
