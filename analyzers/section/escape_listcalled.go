package section

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
)

// listCalled is the local list of another function, which returns it, where the object of o is an
// element of what a call of that function has returned; and the body of the function. It is nil if
// there is none.
func (s *search) listCalled(o *occurrence) (types.Object, *accesses.Body) {
	sel, ok := ast.Unparen(o.Expr).(*ast.SelectorExpr)
	if !ok {
		return nil, nil
	}
	list := s.listWith(sel.X)
	for range 2 {
		id, ok := list.(*ast.Ident)
		if !ok {
			break
		}
		defs := s.values.assigns[s.pkg.Info.ObjectOf(id)]
		if len(defs) != 1 || s.sortsOut(s.pkg.Info.ObjectOf(id)) {
			return nil, nil
		}
		list = ast.Unparen(defs[0].value)
	}
	call, ok := list.(*ast.CallExpr)
	if !ok {
		return nil, nil
	}
	fn := s.locks.Callee(call)
	b := s.pkg.ByFunc[fn]
	if b == nil || b.Outermost() == s.body.Outermost() || !hasPointers(fn.Signature()) {
		return nil, nil
	}
	return returnedList(s.pkg, b), b
}

// listWith is the list or the call that x is an element of: x is a variable of a loop over it, or
// list[i]; or nil.
func (s *search) listWith(x ast.Expr) ast.Expr {
	x = ast.Unparen(x)
	if id, ok := x.(*ast.Ident); ok {
		defs := s.values.assigns[s.pkg.Info.ObjectOf(id)]
		if len(defs) != 1 {
			return nil
		}
		x = ast.Unparen(defs[0].value)
	}
	if index, ok := x.(*ast.IndexExpr); ok {
		x = ast.Unparen(index.X)
	}
	if t := s.pkg.Info.TypeOf(x); t == nil || !isSlice(t) {
		return nil
	}
	return x
}

// sortsOut says whether the body takes the address of the local, or stores in it what it makes
// itself.
func (s *search) sortsOut(local types.Object) bool {
	return local == nil || len(s.values.filled[local]) > 0
}

// hasPointers says whether the first result is a slice of pointers.
func hasPointers(sig *types.Signature) bool {
	if sig.Results().Len() == 0 {
		return false
	}
	slice, ok := sig.Results().At(0).Type().Underlying().(*types.Slice)
	if !ok {
		return false
	}
	_, ok = slice.Elem().Underlying().(*types.Pointer)
	return ok
}

// returnedList is the local that every return of the function has as its first result, nil aside;
// or nil.
func returnedList(pkg *accesses.Package, b *accesses.Body) types.Object {
	var list types.Object
	ok := true
	ast.Inspect(b.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			if len(n.Results) == 0 || pkg.Info.Types[n.Results[0]].IsNil() {
				break
			}
			id, isIdent := ast.Unparen(n.Results[0]).(*ast.Ident)
			if !isIdent || list != nil && pkg.Info.ObjectOf(id) != list {
				ok = false
				break
			}
			list = pkg.Info.ObjectOf(id)
		}
		return ok
	})
	if v, isVar := list.(*types.Var); !ok || !isVar || v.IsField() || slices.Contains(params(b), v) {
		return nil
	}
	return list
}

// params are the parameters of the function.
func params(b *accesses.Body) []*types.Var {
	if b.Func == nil {
		return nil
	}
	return slices.Collect(b.Func.Signature().Params().Variables())
}
