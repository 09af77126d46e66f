package shared

import (
	"go/ast"

	"github.com/atomrace/atomrace/analyzers/accesses"
)

// Starts says whether the call, made in b, runs code of this package that
// starts goroutines.
func (r *Result) Starts(b *accesses.Body, call *ast.CallExpr) bool {
	for _, callee := range r.callees(call, r.locks.Callee(call)) {
		if r.starts(callee, map[*accesses.Body]bool{}) {
			return true
		}
	}
	return false
}

func (r *Result) starts(b *accesses.Body, seen map[*accesses.Body]bool) bool {
	if b == nil || seen[b] {
		return false
	}
	seen[b] = true
	for _, events := range b.Events {
		for _, ev := range events {
			if ev.Kind == accesses.OnGo {
				return true
			}
			if ev.Kind == accesses.OnCall {
				call := ev.Node.(*ast.CallExpr)
				fn := r.locks.Callee(call)
				if r.locks.Launches(fn) {
					return true
				}
				for _, callee := range r.callees(call, fn) {
					if r.starts(callee, seen) {
						return true
					}
				}
			}
		}
	}
	return false
}
