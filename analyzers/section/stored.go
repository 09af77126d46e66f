package section

import (
	"go/ast"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
	"github.com/atomrace/atomrace/internal/pattern"
)

// stored lists the expressions whose values the write w stores.
func stored(w *access.Access) []ast.Expr {
	if call, ok := w.Expr.(*ast.CallExpr); ok && w.Method != "" {
		switch {
		case w.Kind == access.SyncMap && len(call.Args) > 0:
			return call.Args[1:]
		case w.Kind == access.Atomic && atomicFuncs.MatchString(w.Method):
			return call.Args[min(1, len(call.Args)):]
		case w.Kind == access.Atomic:
			return call.Args
		}
		return nil
	}
	if call, ok := w.Expr.(*ast.CallExpr); ok && w.Kind == access.MapElement && w.Mode == atomicity.Write && len(call.Args) > 0 {
		return call.Args[1:] // put into a container
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

// atomicFuncs are the functions of sync/atomic, the first argument of which is the address:
// StoreInt64 rather than the method Store, of whatever type.
var atomicFuncs = pattern.New(`(Int32|Int64|Uint32|Uint64|Uintptr|Pointer)$`)
