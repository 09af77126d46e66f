package shared

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
)

// findPerRequest finds the types of which each request has an object of its own: all
// that this package makes are made by functions that are given a request, into locals of
// theirs. Handlers that are methods of such a type serve one request each. A type that
// holds a lock is not among them.
func (r *Result) findPerRequest() {
	elsewhere := map[*types.TypeName]bool{}
	for _, b := range r.pkg.Bodies {
		kept := map[ast.Expr]bool{} // stored where others find it
		ast.Inspect(b.Block, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false // a body of its own
			case *ast.AssignStmt:
				for i, l := range n.Lhs {
					if _, local := ast.Unparen(l).(*ast.Ident); !local && len(n.Lhs) == len(n.Rhs) {
						kept[made(n.Rhs[i])] = true
					}
				}
			case ast.Expr:
				tn := r.makesOne(n)
				switch {
				case tn == nil:
				case r.givenRequest(b) && !kept[n]:
					r.perRequest[tn] = true
				default:
					elsewhere[tn] = true
				}
			}
			return true
		})
	}
	scope := r.pkg.Types.Scope()
	for _, name := range scope.Names() {
		if v, ok := scope.Lookup(name).(*types.Var); ok {
			elsewhere[accesses.TypeName(v.Type())] = true
		}
	}
	for tn := range r.perRequest {
		if elsewhere[tn] || r.concurrent[tn] {
			delete(r.perRequest, tn)
		}
	}
}

// made is the composite literal or call of new that the expression is, or the address of.
func made(e ast.Expr) ast.Expr {
	e = ast.Unparen(e)
	if u, ok := e.(*ast.UnaryExpr); ok {
		e = ast.Unparen(u.X)
	}
	return e
}

// makesOne is the type of this package that the expression makes an object of, or nil.
func (r *Result) makesOne(e ast.Expr) *types.TypeName {
	switch e := e.(type) {
	case *ast.CompositeLit:
	case *ast.CallExpr:
		id, ok := ast.Unparen(e.Fun).(*ast.Ident)
		if !ok || len(e.Args) != 1 {
			return nil
		}
		if bi, ok := r.pkg.Info.Uses[id].(*types.Builtin); !ok || bi.Name() != "new" {
			return nil
		}
	default:
		return nil
	}
	tn := accesses.TypeName(r.pkg.Info.TypeOf(e))
	if tn == nil || tn.Pkg() != r.pkg.Types {
		return nil
	}
	return tn
}

// givenRequest says whether a parameter of the body, or of the one around it, is a
// request that a server has got, or what it is answered by.
func (r *Result) givenRequest(b *accesses.Body) bool {
	for ; b != nil; b = b.Parent {
		sig := b.Type(r.pkg.Info)
		if sig == nil {
			continue
		}
		for v := range sig.Params().Variables() {
			t := types.TypeString(v.Type(), nil)
			if strings.HasSuffix(t, "net/http.Request") || strings.HasSuffix(t, "net/http.ResponseWriter") || frameworks.MatchString(t) {
				return true
			}
		}
	}
	return false
}

// ofOneRequest says whether both roots are servers or callers that come to an object of
// the type, which has one request each.
func (r *Result) ofOneRequest(owner *types.TypeName, x, y Root) bool {
	outside := func(k RootKind) bool { return k == Handler || k == API }
	return r.perRequest[owner] && outside(x.Kind) && outside(y.Kind)
}
