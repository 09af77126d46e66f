package shared

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
)

// findHandedOut finds, in a program, the methods that another package can call since it is
// handed their object as an interface, where the type has a lock of its own: a program
// has no callers that would need the lock but these. In other packages, whoever imports
// them can.
func (r *Result) findHandedOut() {
	r.handedOut = map[*types.Func]bool{}
	if r.pkg.Types.Name() != "main" {
		return
	}
	hand := func(e ast.Expr, to types.Type) {
		i, ok := to.Underlying().(*types.Interface)
		tn := accesses.TypeName(r.pkg.Info.TypeOf(e))
		if to := accesses.TypeName(to); !ok || tn == nil || tn.Pkg() != r.pkg.Types || to == nil || to.Pkg() == nil || to.Pkg() == r.pkg.Types || r.isStandard(to.Pkg()) || !holdsLock(tn.Type(), 0) {
			return
		}
		for m := range i.Methods() {
			found, _, _ := types.LookupFieldOrMethod(types.NewPointer(tn.Type()), false, tn.Pkg(), m.Name())
			if fn, ok := found.(*types.Func); ok {
				r.handedOut[fn.Origin()] = true
			}
		}
	}
	for _, f := range r.pkg.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				sig, ok := r.pkg.Info.TypeOf(n.Fun).(*types.Signature)
				if !ok {
					break
				}
				for i, arg := range n.Args {
					if i < sig.Params().Len() && !(sig.Variadic() && i == sig.Params().Len()-1) {
						hand(arg, sig.Params().At(i).Type())
					}
				}
			case *ast.CompositeLit:
				for _, e := range n.Elts {
					if kv, ok := e.(*ast.KeyValueExpr); ok {
						if id, ok := kv.Key.(*ast.Ident); ok {
							if field, ok := r.pkg.Info.Uses[id].(*types.Var); ok && field.Pkg() != r.pkg.Types {
								hand(kv.Value, field.Type())
							}
						}
					}
				}
			}
			return true
		})
	}
}

// isStandard says whether the package is of the standard library, most of whose interfaces
// one goroutine uses.
func (r *Result) isStandard(p *types.Package) bool {
	first, _, _ := strings.Cut(p.Path(), "/")
	own, _, _ := strings.Cut(r.pkg.Types.Path(), "/")
	return !strings.Contains(first, ".") && first != own
}
