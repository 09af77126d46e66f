package shared

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity/access"
)

// latched says whether an indivisible operation decides that control comes to the node,
// around it or before it with a return: if s.running.CompareAndSwap(false, true) { go
// s.run() }. Of the goroutines of an object that start there one runs at a time.
func (r *Result) latched(b *accesses.Body, at ast.Node) bool {
	found := false
	ast.Inspect(b.Block, func(n ast.Node) bool {
		if n == nil || found || n.Pos() >= at.Pos() {
			return false
		}
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.IfStmt:
			inside := n.Body.Pos() < at.Pos() && at.End() <= n.Body.End()
			not := false
			if u, ok := ast.Unparen(n.Cond).(*ast.UnaryExpr); ok && u.Op == token.NOT {
				not = true
			}
			found = found || (inside && !not || n.End() < at.Pos() && not && returns(n.Body)) && r.asksLatch(n.Cond)
		}
		return !found
	})
	return found
}

// asksLatch says whether the condition is a CompareAndSwap, or the answer of a function
// of the package that makes one, and does not count with it.
func (r *Result) asksLatch(cond ast.Expr) bool {
	cond = ast.Unparen(cond)
	if u, ok := cond.(*ast.UnaryExpr); ok {
		cond = ast.Unparen(u.X)
	}
	call, ok := cond.(*ast.CallExpr)
	if !ok {
		return false
	}
	if r.flips(call) {
		return true
	}
	b := r.pkg.ByFunc[r.locks.Callee(call)]
	if b == nil {
		return false
	}
	found := false
	ast.Inspect(b.Block, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			found = found || r.flips(call)
		}
		return !found
	})
	return found
}

// flips says whether the call is a CompareAndSwap that puts a value in the place of
// another one rather than counting on from it.
func (r *Result) flips(call *ast.CallExpr) bool {
	fn := r.locks.Callee(call)
	if fn == nil || fn.Pkg() == nil || !access.IsAtomic(fn.Pkg().Path()) || !strings.HasPrefix(fn.Name(), "CompareAndSwap") && fn.Name() != "CAS" || len(call.Args) == 0 {
		return false
	}
	to := ast.Unparen(call.Args[len(call.Args)-1])
	if r.pkg.Info.Types[to].Value != nil {
		return true
	}
	_, computed := to.(*ast.BinaryExpr)
	_, local := r.pkg.Info.Uses[identOf(to)].(*types.Var)
	return !computed && !local
}

func identOf(e ast.Expr) *ast.Ident {
	id, _ := e.(*ast.Ident)
	return id
}
