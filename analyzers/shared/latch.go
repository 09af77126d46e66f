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
// s.run() }. Of the goroutines of an object that start there one runs at a time. A
// flag that is found unset and set then is as good: that it is looked at and set in one
// step is another question, which has a report of its own.
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
			leaves := n.End() < at.Pos() && returns(n.Body)
			found = found || (inside && !not || leaves && not) && r.asksLatch(n.Cond) ||
				(inside && not || leaves && !not) && r.setsFlag(b, n.Cond, n.Body.Pos(), at.Pos()) ||
				(inside || leaves) && r.fillsEmpty(b, n, inside, at.Pos())
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

// setsFlag says whether the condition is a boolean field, or the opposite of one, which
// a statement between the positions sets.
func (r *Result) setsFlag(b *accesses.Body, cond ast.Expr, from, to token.Pos) bool {
	if u, ok := ast.Unparen(cond).(*ast.UnaryExpr); ok {
		cond = u.X
	}
	flag, ok := ast.Unparen(cond).(*ast.SelectorExpr)
	if !ok || r.pkg.Info.Selections[flag] == nil || !r.pkg.PlaceOf(flag).Valid() {
		return false
	}
	found := false
	ast.Inspect(b.Block, func(n ast.Node) bool {
		assign, ok := n.(*ast.AssignStmt)
		if !ok || len(assign.Lhs) != 1 || len(assign.Rhs) != 1 || assign.Pos() < from || assign.Pos() >= to {
			return !found
		}
		id := identOf(assign.Rhs[0])
		found = found || id != nil && id.Name == "true" && r.pkg.PlaceOf(assign.Lhs[0]) == r.pkg.PlaceOf(flag)
		return !found
	})
	return found
}

// fillsEmpty says whether the condition asks whether a field is nil, or a constant, and a
// statement between there and the position gives it another value: if c.conn == nil {
// c.conn = conn; go c.read() }.
func (r *Result) fillsEmpty(b *accesses.Body, test *ast.IfStmt, inside bool, to token.Pos) bool {
	cond, ok := ast.Unparen(test.Cond).(*ast.BinaryExpr)
	if !ok || inside && cond.Op != token.EQL || !inside && cond.Op != token.NEQ {
		return false
	}
	if tv := r.pkg.Info.Types[cond.Y]; tv.Value == nil && !tv.IsNil() {
		return false
	}
	field := ast.Unparen(cond.X)
	if call, ok := field.(*ast.CallExpr); ok && len(call.Args) == 1 { // atomic.LoadInt32(&x.f)
		fn := r.locks.Callee(call)
		u, ok := ast.Unparen(call.Args[0]).(*ast.UnaryExpr)
		if !ok || fn == nil || fn.Pkg() == nil || !access.IsAtomic(fn.Pkg().Path()) {
			return false
		}
		field = ast.Unparen(u.X)
	}
	sel, ok := field.(*ast.SelectorExpr)
	if !ok || r.pkg.Info.Selections[sel] == nil || !r.pkg.PlaceOf(sel).Valid() {
		return false
	}
	found := false
	ast.Inspect(b.Block, func(n ast.Node) bool {
		assign, ok := n.(*ast.AssignStmt)
		if !ok || assign.Pos() < test.Body.Pos() || assign.Pos() >= to {
			return !found
		}
		for i, l := range assign.Lhs {
			if r.pkg.PlaceOf(l) == r.pkg.PlaceOf(sel) && (len(assign.Rhs) != len(assign.Lhs) || !r.sameValue(assign.Rhs[i], cond.Y)) {
				found = true
			}
		}
		return !found
	})
	return found
}

// sameValue says whether both are nil, or the same constant.
func (r *Result) sameValue(x, y ast.Expr) bool {
	a, b := r.pkg.Info.Types[x], r.pkg.Info.Types[y]
	return a.IsNil() && b.IsNil() || a.Value != nil && b.Value != nil && a.Value.ExactString() == b.Value.ExactString()
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
