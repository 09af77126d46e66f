package section

import (
	"go/ast"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// marksAlone says whether the function, which answers nothing, does no more in the branch than to
// mark keys in maps by constants, with what it computes for that:
//
//	if seen[pc] { return }
//	mu.Unlock(); f := runtime.FuncForPC(pc); mu.Lock()
//	names[f.Name()] = true
//	seen[pc] = true
//
// Who comes second marks the same.
func (f *finding) marksAlone(end *hit) bool {
	if f.entry.Kind != access.MapElement || end.via != nil || !f.marksKey(end.Access) || f.body.Func == nil || f.body.Func.Signature().Results().Len() > 0 {
		return false
	}
	return !f.inBranch(end, func(ev accesses.Event) bool {
		switch ev.Kind {
		case accesses.OnGo, accesses.OnSend, accesses.OnReceive:
			return true
		case accesses.OnDefer:
			return !f.unlocks(ev.Node)
		case accesses.OnCall:
			call := ev.Node.(*ast.CallExpr)
			return len(f.locks.Ops(ev)) == 0 && !f.harmless(call)
		case accesses.OnAccess:
			a := ev.Access
			return a.Mode == atomicity.Write && (a.Var.Obj.IsField() || accesses.IsGlobal(a.Var.Obj)) && !f.marksKey(a)
		}
		return false
	})
}

// unlocks says whether what is deferred is the release of a lock.
func (f *finding) unlocks(n ast.Node) bool {
	stmt, ok := n.(*ast.DeferStmt)
	if !ok {
		return false
	}
	fn := f.locks.Callee(stmt.Call)
	return fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "sync" && unlocks.MatchString(fn.Name())
}

// marksKey says whether the access stores a constant at a key of a map.
func (f *finding) marksKey(a *access.Access) bool {
	if a.Kind != access.MapElement || a.Mode != atomicity.Write || a.Method != "" || a.Update != nil {
		return false
	}
	values := stored(a)
	return len(values) == 1 && f.pkg.Info.Types[values[0]].Value != nil
}
