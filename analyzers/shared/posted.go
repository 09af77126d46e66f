package shared

import (
	"go/ast"
	"go/types"
)

// posts says whether fn, a function of this package, sends its parameter i, a
// function, over a channel, and does not call it: it is run by whoever receives it,
// mostly a loop which all that is sent belongs to.
func (r *Result) posts(fn *types.Func, i int) bool {
	b := r.pkg.ByFunc[fn]
	if b == nil || i >= fn.Signature().Params().Len() {
		return false
	}
	param := types.Object(fn.Signature().Params().At(i))
	switch t := param.Type().Underlying().(type) {
	case *types.Signature:
	case *types.Interface:
		if !t.Empty() {
			return false
		}
	default:
		return false
	}
	sent, called := false, false
	holders := map[types.Object]bool{param: true} // param, and locals that hold it in a struct
	holds := func(e ast.Node) bool {
		found := false
		ast.Inspect(e, func(n ast.Node) bool {
			if _, ok := n.(*ast.FuncLit); ok {
				return false
			}
			if id, ok := n.(*ast.Ident); ok && holders[r.pkg.Info.Uses[id]] {
				found = true
			}
			return !found
		})
		return found
	}
	ast.Inspect(b.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for j, l := range n.Lhs {
				if id, ok := l.(*ast.Ident); ok && len(n.Lhs) == len(n.Rhs) && holds(n.Rhs[j]) {
					holders[r.pkg.Info.ObjectOf(id)] = true
				}
			}
		case *ast.SendStmt:
			sent = sent || holds(n.Value)
		case *ast.CallExpr:
			if id, ok := ast.Unparen(n.Fun).(*ast.Ident); ok && r.pkg.Info.Uses[id] == param {
				called = true
			}
		}
		return true
	})
	return sent && !called
}
