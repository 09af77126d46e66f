package section

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/atomrace/atomrace/analyzers/accesses"
)

// copyOf is the local container that the call copies the elements of another one into,
// as copy and maps.Copy do, and nil for other calls.
func (v *values) copyOf(call *ast.CallExpr) (into *ast.Ident, from ast.Expr) {
	if len(call.Args) != 2 {
		return nil, nil
	}
	switch fn := typeutil.Callee(v.pkg.Info, call).(type) {
	case *types.Builtin:
		if fn.Name() != "copy" {
			return nil, nil
		}
	case *types.Func:
		switch {
		case fn.Pkg() != nil && fn.Name() == "Copy" && (fn.Pkg().Path() == "maps" || fn.Pkg().Path() == "golang.org/x/exp/maps"):
		case accesses.Copies(fn.Name()):
			return v.filledBy(call)
		default:
			return nil, nil
		}
	default:
		return nil, nil
	}
	to := ast.Unparen(call.Args[0])
	if slice, ok := to.(*ast.SliceExpr); ok {
		to = ast.Unparen(slice.X)
	}
	into, _ = to.(*ast.Ident)
	return into, call.Args[1]
}

// filledBy is the local whose address the call is given, and the other argument, which it
// is made a copy of: cloneStruct(s.conf, &conf).
func (v *values) filledBy(call *ast.CallExpr) (into *ast.Ident, from ast.Expr) {
	for i, arg := range call.Args {
		u, ok := ast.Unparen(arg).(*ast.UnaryExpr)
		if !ok || u.Op != token.AND {
			continue
		}
		if id, ok := ast.Unparen(u.X).(*ast.Ident); ok {
			return id, call.Args[1-i]
		}
	}
	return nil, nil
}

// isOwn says whether the local is a struct, or points to one that was made here: what is
// stored into its fields goes where it goes.
func (v *values) isOwn(obj types.Object) bool {
	if obj == nil || obj.Type() == nil {
		return false
	}
	if _, ok := obj.Type().Underlying().(*types.Struct); ok {
		return true
	}
	for _, d := range v.assigns[obj] {
		if !v.isNew(d.value) {
			return false
		}
	}
	return len(v.assigns[obj]) > 0
}

// isNew says whether e makes an object: &T{…}, new(T) or make(…).
func (v *values) isNew(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		_, lit := ast.Unparen(e.X).(*ast.CompositeLit)
		return e.Op == token.AND && lit
	case *ast.CallExpr:
		id, ok := ast.Unparen(e.Fun).(*ast.Ident)
		if !ok {
			return false
		}
		b, ok := v.pkg.Info.Uses[id].(*types.Builtin)
		return ok && (b.Name() == "new" || b.Name() == "make")
	}
	return false
}
