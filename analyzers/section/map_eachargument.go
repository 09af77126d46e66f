package section

import (
	"go/ast"
	"go/types"
)

// Methods of sets take any number of keys, and mostly get one: func (s Set) Insert(keys ...K).
// What they do for each key is done for that one.

// eachOf is the variadic parameter of fn of which id is each argument in turn, or nil.
func (s *search) eachOf(fn *types.Func, id *ast.Ident) *types.Var {
	sig, b := fn.Signature(), s.pkg.ByFunc[fn]
	if !sig.Variadic() || b == nil {
		return nil
	}
	each, last := s.pkg.Info.ObjectOf(id), sig.Params().At(sig.Params().Len()-1)
	found := false
	ast.Inspect(b.Block, func(n ast.Node) bool {
		if loop, ok := n.(*ast.RangeStmt); ok && loop.Value != nil {
			over, isIdent := ast.Unparen(loop.X).(*ast.Ident)
			value, named := loop.Value.(*ast.Ident)
			found = found || isIdent && named && each != nil && s.pkg.Info.ObjectOf(value) == each && s.pkg.Info.ObjectOf(over) == types.Object(last)
		}
		return !found
	})
	if !found {
		return nil
	}
	return last
}

// keyArgument is the expression that the call passes for the parameter v of fn, which is a
// key: of a variadic one the only argument.
func (s *search) keyArgument(call *ast.CallExpr, fn *types.Func, v *types.Var) ast.Expr {
	params := fn.Signature().Params()
	if n := params.Len(); fn.Signature().Variadic() && params.At(n-1) == v {
		if len(call.Args) == n && !call.Ellipsis.IsValid() {
			return call.Args[n-1]
		}
		return nil
	}
	return s.locks.Argument(call, fn, v)
}
