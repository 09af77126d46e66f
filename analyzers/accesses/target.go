package accesses

import (
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/atomicity/access"
)

// Target is the place that the local e is another name of, e itself if it is not.
func (p *Package) Target(e ast.Expr) ast.Expr {
	for range 4 {
		id, ok := ast.Unparen(e).(*ast.Ident)
		if !ok {
			break
		}
		to := p.Aliases[p.Info.ObjectOf(id)]
		if to == nil || !types.Identical(p.Info.TypeOf(to), p.Info.TypeOf(id)) {
			break // an address, perhaps
		}
		e = to
	}
	return ast.Unparen(e)
}

// throughAliases makes the accesses to what a local leads to, where only the statement after
// its definition uses it, those to what the place leads to that it is another name of. What
// lasts longer may outlive the lock under which it was named. The specification does not speak
// of them.
func (p *Package) throughAliases() {
	for _, fn := range p.Functions {
		for _, a := range fn.Accesses {
			if !a.Var.Contents || a.Var.Obj.IsField() || !p.inPassing[a.Var.Obj] || p.Aliases[a.Var.Obj] == nil {
				continue
			}
			id, ok := ast.Unparen(a.Cell).(*ast.Ident)
			if !ok || p.Info.ObjectOf(id) != types.Object(a.Var.Obj) {
				continue
			}
			target := p.Target(id)
			if v := access.Contents(p.Info, target); target != ast.Expr(id) && v.Obj != nil {
				a.Var, a.Cell, a.Ordinal = v, target, 0
			}
		}
	}
}
