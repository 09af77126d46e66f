package accesses

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/atomrace/atomrace/atomicity"
)

// addHeaped adds the accesses that container/heap makes to the variable whose address it is given:
// heap.Push(&q.items, x) changes q.items. An access has the call for its expression, and
// the ordinal 0, as those of addContained.
func (p *Package) addHeaped() {
	for _, fn := range p.Functions {
		var around []ast.Node
		ast.Inspect(fn.Node, func(n ast.Node) bool {
			if n == nil {
				around = around[:len(around)-1]
				return true
			}
			around = append(around, n)
			call, ok := n.(*ast.CallExpr)
			if !ok || !p.changesHeap(call) {
				return true
			}
			x := ast.Unparen(call.Args[0]).(*ast.UnaryExpr).X
			a := p.heldContainer(fn, ast.Unparen(x), around)
			a.Mode, a.Expr = atomicity.Write, call
			fn.Accesses = insert(fn.Accesses, a, call.End())
			return true
		})
	}
}

// changesHeap says whether the call is of a function of container/heap that changes a field or a package-level variable
// whose address it is given.
func (p *Package) changesHeap(call *ast.CallExpr) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || len(call.Args) == 0 {
		return false
	}
	fn, ok := p.Info.Uses[sel.Sel].(*types.Func)
	if !ok || fn.Pkg() == nil || fn.Pkg().Path() != "container/heap" {
		return false
	}
	u, ok := ast.Unparen(call.Args[0]).(*ast.UnaryExpr)
	if !ok || u.Op != token.AND {
		return false
	}
	v := p.variable(u.X)
	return v != nil && (v.IsField() || IsGlobal(v))
}
