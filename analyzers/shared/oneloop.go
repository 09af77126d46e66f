package shared

import (
	"go/ast"
	"go/constant"
	"go/token"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity/access"
)

// isOnlyLoop says whether the body is of a function that refuses, with an indivisible
// operation before all else, those who call it while it runs, or a second time, and goes
// on in a loop: if atomic.AddInt32(&started, 1) != 1 { return }; for { select { … } }.
// Whatever it calls runs in one goroutine.
func (r *Result) isOnlyLoop(b *accesses.Body) bool {
	for i, stmt := range b.Block.List {
		if test, ok := stmt.(*ast.IfStmt); ok && i < 3 && test.Init == nil && returns(test.Body) && r.isRefused(test.Cond) {
			return r.loops(b)
		}
	}
	return false
}

// isRefused says whether the condition holds for all but the first: it is the opposite of a
// CompareAndSwap, a Swap that puts true in, or an Add of one that comes to more than that.
func (r *Result) isRefused(cond ast.Expr) bool {
	switch cond := ast.Unparen(cond).(type) {
	case *ast.UnaryExpr:
		call, ok := ast.Unparen(cond.X).(*ast.CallExpr)
		return ok && cond.Op == token.NOT && r.flips(call)
	case *ast.CallExpr:
		return strings.HasPrefix(r.atomicMethod(cond), "Swap") && r.isConstant(cond.Args[len(cond.Args)-1], constant.MakeBool(true))
	case *ast.BinaryExpr:
		call, ok := ast.Unparen(cond.X).(*ast.CallExpr)
		one := constant.MakeInt64(1)
		return ok && (cond.Op == token.NEQ || cond.Op == token.GTR) && r.isConstant(cond.Y, one) &&
			strings.HasPrefix(r.atomicMethod(call), "Add") && r.isConstant(call.Args[len(call.Args)-1], one)
	}
	return false
}

// atomicMethod is the name of the function or method of sync/atomic, or the like, that is
// called with arguments, or "".
func (r *Result) atomicMethod(call *ast.CallExpr) string {
	fn := r.locks.Callee(call)
	if fn == nil || fn.Pkg() == nil || !access.IsAtomic(fn.Pkg().Path()) || len(call.Args) == 0 {
		return ""
	}
	return fn.Name()
}

func (r *Result) isConstant(e ast.Expr, want constant.Value) bool {
	v := r.pkg.Info.Types[e].Value
	return v != nil && v.Kind() == want.Kind() && constant.Compare(v, token.EQL, want)
}
