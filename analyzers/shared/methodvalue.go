package shared

import (
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
)

// methodValues raises the receivers of the methods of this package that the call is given as values:
// who calls one of them calls it for that object.
//
//	queue.Pop(PopFunc(c.process))
//	go every(interval, c.probe)
//
// A goroutine that the call starts, at that node, has the object besides who starts it.
func (r *Result) methodValues(b *accesses.Body, at ast.Node, call *ast.CallExpr, launch bool, raise func(types.Object, Reach)) {
	for _, a := range call.Args {
		sel, ok := r.converted(a).(*ast.SelectorExpr)
		if !ok {
			continue
		}
		m := r.pkg.Info.Selections[sel]
		if m == nil || m.Kind() != types.MethodVal || len(m.Index()) != 1 {
			continue
		}
		fn, ok := m.Obj().(*types.Func)
		if !ok {
			continue
		}
		if callee := r.pkg.ByFunc[fn.Origin()]; callee != nil {
			recv := callee.Func.Signature().Recv()
			x := r.ofExpr(b, sel.X, 0)
			if launch {
				x = max(x, r.crossing(b, at, sel.X, isPointerLike(recv.Type())))
			}
			if x != Private { // who gets the function may keep it, and call it when others have the object
				raise(recv, x)
			}
		}
	}
}

// converted is what e converts to a type of functions, or e.
func (r *Result) converted(e ast.Expr) ast.Expr {
	e = ast.Unparen(e)
	if call, ok := e.(*ast.CallExpr); ok && len(call.Args) == 1 && r.pkg.Info.Types[call.Fun].IsType() {
		if t := r.pkg.Info.TypeOf(call.Fun); t != nil {
			if _, isFunc := t.Underlying().(*types.Signature); isFunc {
				return ast.Unparen(call.Args[0])
			}
		}
	}
	return e
}
