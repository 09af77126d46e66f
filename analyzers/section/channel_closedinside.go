package section

import (
	"go/ast"
	"go/token"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity/access"
)

// endsBeforeCall says whether the method that c is in is called in one place only, in the
// arm of a select that has received the end, and waits for nobody on the way to c: what it
// takes out of the channel itself comes from those who are through.
func (s *search) endsBeforeCall(end access.Var, c closeCall) bool {
	fn := s.body.Func
	if fn == nil || fn.Exported() || fn.Signature().Recv() == nil || s.awaitsSenders(s.body) || s.receivesOther(c) {
		return false
	}
	callers := s.callersOf(fn)
	if len(callers) != 1 || s.awaitsSenders(callers[0]) {
		return false
	}
	found := false
	ast.Inspect(callers[0].Block, func(n ast.Node) bool {
		arm, ok := n.(*ast.CommClause)
		if !ok || arm.Comm == nil || s.receivedIn(arm) != end.Obj {
			return !found
		}
		for _, stmt := range arm.Body {
			if x, ok := stmt.(*ast.ExprStmt); ok {
				call, ok := ast.Unparen(x.X).(*ast.CallExpr)
				if ok && s.locks.Callee(call) == fn {
					found = true
				}
			}
			if !found && waitsIn(stmt) {
				break // for the senders, perhaps
			}
		}
		return !found
	})
	return found
}

// waitsIn says whether the statement receives from a channel or calls something.
func waitsIn(stmt ast.Stmt) bool {
	waits := false
	ast.Inspect(stmt, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.UnaryExpr:
			waits = waits || n.Op == token.ARROW
		case *ast.CallExpr, *ast.SelectStmt, *ast.RangeStmt:
			waits = true
		}
		return !waits
	})
	return waits
}

// receivesOther says whether the body waits, before it closes the channel, for another one,
// for a lock, or for a time.
func (s *search) receivesOther(c closeCall) bool {
	for _, events := range s.body.Events {
		for _, ev := range events {
			if ev.Node == nil || ev.Pos() >= c.call.Pos() {
				continue
			}
			switch ev.Kind {
			case accesses.OnReceive:
				if u, ok := ev.Node.(*ast.UnaryExpr); !ok || s.variable(u.X) != c.channel.Var.Obj {
					return true
				}
			case accesses.OnCall:
				if len(s.locks.Ops(ev)) > 0 {
					return true
				}
				call, ok := ev.Node.(*ast.CallExpr)
				if fn := s.locks.Callee(call); ok && fn != nil && fn.Pkg() != nil && (fn.Pkg().Path() == "time" || fn.Pkg().Path() == "sync") {
					return true
				}
			}
		}
	}
	return false
}
