package section

import (
	"go/ast"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/internal/pattern"
)

// postponesDeadline says whether the branch that leads to the end notes the time at which it has put
// off a deadline, and does nothing else:
//
//	if now.Sub(c.last.Load()) > c.timeout/4 {
//		c.conn.SetWriteDeadline(now.Add(c.timeout))
//		c.last.Store(now)
//	}
//
// Two that do so at the same time put it off to the same time.
func (f *finding) postponesDeadline(end *hit) bool {
	if !f.inBranch(end, func(ev accesses.Event) bool {
		call, ok := ev.Node.(*ast.CallExpr)
		return ok && ev.Kind == accesses.OnCall && deadlines.MatchString(calledName(call))
	}) {
		return false
	}
	return !f.inBranch(end, func(ev accesses.Event) bool {
		if ev.Kind == accesses.OnSend || ev.Kind == accesses.OnGo {
			return true
		}
		call, ok := ev.Node.(*ast.CallExpr)
		if !ok || ev.Kind != accesses.OnCall || ast.Expr(call) == end.source().Expr || ast.Expr(call) == end.Expr {
			return false
		}
		fn := f.locks.Callee(call)
		pure := fn != nil && fn.Pkg() != nil && (fn.Pkg().Path() == "time" || strings.HasSuffix(fn.Pkg().Path(), "errors"))
		return !pure && !deadlines.MatchString(calledName(call)) && !f.harmless(call) && !strings.HasPrefix(calledName(call), "Load")
	})
}

// deadlines are the methods of a connection that set until when it waits.
var deadlines = pattern.New(`^Set(Read|Write)?Deadline$`)
