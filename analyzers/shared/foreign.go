package shared

import (
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
)

// ofForeign says whether the literal is a field of a struct of another package, which is made where the literal is:
//
//	(&httputil.ReverseProxy{Director: func(r *http.Request) { … }}).ServeHTTP(w, r)
//
// Each of the goroutines that come there has a struct of its own, whose code calls the literal: as many run it.
func (r *Result) ofForeign(lit *accesses.Body) bool {
	if lit.Parent == nil {
		return false
	}
	found := false
	ast.Inspect(lit.Parent.Block, func(n ast.Node) bool {
		of, ok := n.(*ast.CompositeLit)
		if !ok {
			return !found
		}
		tn := accesses.TypeName(r.pkg.Info.TypeOf(of))
		if tn == nil || tn.Pkg() == nil || tn.Pkg() == r.pkg.Types {
			return true
		}
		if _, ok := tn.Type().Underlying().(*types.Struct); !ok {
			return true
		}
		for _, e := range of.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				e = kv.Value
			}
			found = found || ast.Unparen(e) == lit.Node
		}
		return !found
	})
	return found
}

// isReturned says whether the literal is what a method returns of an object that several may use at once: they call
// it as they call the method.
//
//	func (m *metric) OnSaved(ts uint32) func() { return func() { … } }
func (r *Result) isReturned(lit *accesses.Body) bool {
	b := lit.Parent
	if b == nil || b.Func == nil || b.Func.Signature().Recv() == nil || !r.Concurrent(b.Func.Signature().Recv().Type()) {
		return false
	}
	found := false
	ast.Inspect(b.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			for _, e := range n.Results {
				found = found || ast.Unparen(e) == lit.Node
			}
		}
		return !found
	})
	return found
}
