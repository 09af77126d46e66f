package section

import (
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/atomicity/access"
)

// updated says whether what the end stores is the answer of a function that the body was
// given, which makes a new value out of the old one: next, err := fn(cur). That is an
// update, whatever the function does.
func (f *finding) updated(end *hit) bool {
	values := stored(end.Access)
	if end.via != nil {
		values = end.stores
	}
	for _, v := range values {
		for _, e := range f.definitions(v) {
			if call, ok := ast.Unparen(e).(*ast.CallExpr); ok && f.makesAnother(call, f.entry.Access) {
				return true
			}
		}
	}
	return false
}

// definitions are what the expression can be: itself, or what a local is set to.
func (f *finding) definitions(e ast.Expr) []ast.Expr {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return []ast.Expr{e}
	}
	var list []ast.Expr
	for _, d := range f.values.assigns[f.pkg.Info.ObjectOf(id)] {
		if d.plain {
			list = append(list, d.value)
		}
	}
	return list
}

// makesAnother says whether the call, of a value of function type, has what was read among
// its arguments, and its first result is of the type of that argument.
func (f *finding) makesAnother(call *ast.CallExpr, read *access.Access) bool {
	fun := ast.Unparen(call.Fun)
	var obj types.Object
	switch x := fun.(type) {
	case *ast.Ident:
		obj = f.pkg.Info.Uses[x]
	case *ast.SelectorExpr:
		obj = f.pkg.Info.Uses[x.Sel]
	}
	if _, isVar := obj.(*types.Var); !isVar {
		return false
	}
	sig, ok := f.values.underlying(fun).(*types.Signature)
	if !ok || sig.Results().Len() == 0 {
		return false
	}
	result := sig.Results().At(0).Type()
	for _, a := range call.Args {
		t := f.pkg.Info.TypeOf(a)
		if t == nil || isError(t) || isBoolean(t) || !types.Identical(t, result) {
			continue
		}
		if _, mine := f.values.of(a)[read]; mine {
			return true
		}
	}
	return false
}
