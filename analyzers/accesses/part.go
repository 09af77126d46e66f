package accesses

import (
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// addParts adds reads of struct variables that are made field by field: where the package
// stores w.cur = s somewhere, whoever reads w.cur.Revision reads a part of what is stored
// there. Such an access has the expression and place in the source of the read of the field, and
// the ordinal 0: atomicity.yaml speaks of the field.
func (p *Package) addParts() {
	whole := map[*types.Var]bool{}
	for _, fn := range p.Functions {
		for _, a := range fn.Accesses {
			if a.Kind == access.Cell && a.Mode == atomicity.Write && !a.Var.Contents && isStruct(a.Var.Obj.Type()) {
				whole[a.Var.Obj] = true
			}
		}
	}
	if len(whole) == 0 {
		return
	}
	for _, fn := range p.Functions {
		list := make([]*access.Access, 0, len(fn.Accesses))
		for _, a := range fn.Accesses {
			list = append(list, a)
			if a.Kind != access.Cell || a.Mode != atomicity.Read || a.Update != nil {
				continue
			}
			for x := a.Cell; ; {
				sel, ok := ast.Unparen(x).(*ast.SelectorExpr)
				if !ok {
					break
				}
				x = sel.X
				v := p.variable(x)
				if v == nil || !isStruct(p.Info.TypeOf(x)) {
					break
				}
				if whole[v.Origin()] {
					part := *a
					part.Var, part.Cell, part.Ordinal = access.Var{Obj: v.Origin()}, x, 0
					list = append(list, &part)
				}
			}
		}
		fn.Accesses = list
	}
}

// variable is the field or package-level variable that x selects, or nil.
func (p *Package) variable(x ast.Expr) *types.Var {
	switch x := ast.Unparen(x).(type) {
	case *ast.SelectorExpr:
		if sel := p.Info.Selections[x]; sel != nil {
			if v, ok := sel.Obj().(*types.Var); ok {
				return v
			}
		}
		if v, ok := p.Info.Uses[x.Sel].(*types.Var); ok {
			return v
		}
	case *ast.Ident:
		if v, ok := p.Info.Uses[x].(*types.Var); ok && v.Parent() == p.Types.Scope() {
			return v
		}
	}
	return nil
}

func isStruct(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Struct)
	return ok
}
