package accesses

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// addValued adds the reads of channels that are fields of receivers passed by value:
//
//	func (w Worker) Stop() { close(w.quit) }
//
// The field is the method's own, and no variable that others have; but the channel is the one that all copies of
// the object hold. It is that of the object where the package assigns the field nowhere. An access has the ordinal 0, as those of addContained.
func (p *Package) addValued() {
	assigned := map[types.Object]bool{}
	for _, fn := range p.Functions {
		for _, a := range fn.Accesses {
			if a.Mode == atomicity.Write {
				assigned[a.Var.Obj] = true
			}
		}
	}
	for _, fn := range p.Functions {
		d, ok := fn.Node.(*ast.FuncDecl)
		if !ok || d.Recv == nil || len(d.Recv.List) != 1 || len(d.Recv.List[0].Names) != 1 {
			continue
		}
		recv, ok := p.Info.Defs[d.Recv.List[0].Names[0]].(*types.Var)
		if !ok || !isStruct(recv.Type()) {
			continue
		}
		var around []ast.Node
		ast.Inspect(fn.Node, func(n ast.Node) bool {
			if n == nil {
				around = around[:len(around)-1]
				return true
			}
			around = append(around, n)
			if sel, ok := n.(*ast.SelectorExpr); ok && p.isChannelOf(recv, sel) && !assigned[p.variable(sel).Origin()] && !isTarget(around) &&
				!slices.ContainsFunc(fn.Accesses, func(a *access.Access) bool { return a.Expr == ast.Expr(sel) }) {
				fn.Accesses = insert(fn.Accesses, p.heldContainer(fn, sel, around), sel.End())
			}
			return true
		})
	}
}

// isChannelOf says whether the selector is of a field of v that is a channel.
func (p *Package) isChannelOf(v *types.Var, sel *ast.SelectorExpr) bool {
	id, ok := ast.Unparen(sel.X).(*ast.Ident)
	if !ok || p.Info.Uses[id] != types.Object(v) {
		return false
	}
	f := p.variable(sel)
	if f == nil || !f.IsField() {
		return false
	}
	_, ok = f.Type().Underlying().(*types.Chan)
	return ok
}

// isTarget says whether the innermost of the nodes is assigned to, or its address taken.
func isTarget(around []ast.Node) bool {
	e := around[len(around)-1]
	switch n := around[len(around)-2].(type) {
	case *ast.AssignStmt:
		return slices.ContainsFunc(n.Lhs, func(l ast.Expr) bool { return ast.Node(l) == e })
	case *ast.UnaryExpr:
		return n.Op == token.AND
	}
	return false
}
