package section

import (
	"go/ast"
	"go/token"

	"github.com/atomrace/atomrace/atomicity/access"
)

// stored lists the expressions whose values the write w stores.
func stored(w *access.Access) []ast.Expr {
	if call, ok := w.Expr.(*ast.CallExpr); ok && w.Method != "" {
		switch {
		case w.Kind == access.SyncMap && len(call.Args) > 0:
			return call.Args[1:]
		case w.Kind == access.Atomic && w.Pointer || w.Kind == access.Atomic && isAtomicFunc(call, w):
			return call.Args[min(1, len(call.Args)):]
		case w.Kind == access.Atomic:
			return call.Args
		}
		return nil
	}
	s, ok := w.Stmt.(*ast.AssignStmt)
	if !ok {
		return nil
	}
	for i, l := range s.Lhs {
		if ast.Unparen(l) == w.Expr {
			if len(s.Lhs) == len(s.Rhs) {
				return s.Rhs[i : i+1]
			}
			return s.Rhs
		}
	}
	return nil
}

// isAtomicFunc says whether the call is atomic.StoreInt64(&x, v) rather than
// x.Store(v).
func isAtomicFunc(call *ast.CallExpr, w *access.Access) bool {
	if len(call.Args) == 0 {
		return false
	}
	u, ok := ast.Unparen(call.Args[0]).(*ast.UnaryExpr)
	return ok && u.Op == token.AND && ast.Unparen(u.X) == w.Cell
}
