package section

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// acts says whether the branch that the test leads to does more than store:
// if all it does is set a flag that is set already, nobody can tell.
func (f *finding) acts(end *hit) bool {
	if adds(end.Access) {
		return true // counts twice
	}
	if f.onlyWakes(end) {
		return false
	}
	for _, test := range f.trail.tests {
		if ok, edge := f.decides(test, end.block); ok && f.does(test, edge, end.Access) {
			return true
		}
	}
	return false
}

// adds says whether the access is an atomic addition or subtraction.
func adds(a *access.Access) bool {
	switch a.Method {
	case "Inc", "Dec", "Sub":
		return true
	}
	return strings.HasPrefix(a.Method, "Add")
}

// actsAfter says whether one branch of the test does what the other does not.
func (f *finding) actsAfter(test int) bool {
	return len(f.body.CFG.Blocks[test].Succs) == 2 && (f.does(test, 0, nil) || f.does(test, 1, nil))
}

// inBranch says whether one of the events that only the branch of a test comes to which
// leads to the end is as wanted.
func (f *finding) inBranch(end *hit, wanted func(accesses.Event) bool) bool {
	return f.inBranchOf(end, func(events []accesses.Event) bool { return slices.ContainsFunc(events, wanted) })
}

// belowBranch is inBranch with what the branch does by functions without branches.
func (f *finding) belowBranch(end *hit, wanted func(accesses.Event) bool) bool {
	return f.inBranchOf(end, func(events []accesses.Event) bool { return slices.ContainsFunc(f.withStraight(events), wanted) })
}

func (f *finding) inBranchOf(end *hit, wanted func([]accesses.Event) bool) bool {
	for _, test := range f.trail.tests {
		ok, edge := f.decides(test, end.block)
		if !ok {
			continue
		}
		succs := f.body.CFG.Blocks[test].Succs
		mine, other := f.reaches(succs[edge], test), f.reaches(succs[1-edge], test)
		for i, events := range f.body.Events {
			if mine[i] && !other[i] && wanted(events) {
				return true
			}
		}
	}
	return false
}

// does says whether the code that only this edge of the test leads to does
// something that can be noticed, leaving the access end aside.
func (f *finding) does(test, edge int, end *access.Access) bool {
	succs := f.body.CFG.Blocks[test].Succs
	mine, other := f.reaches(succs[edge], test), f.reaches(succs[1-edge], test)
	for i, events := range f.body.Events {
		if !mine[i] || other[i] {
			continue
		}
		for _, ev := range events {
			switch ev.Kind {
			case accesses.OnCall:
				if call := ev.Node.(*ast.CallExpr); (end == nil || call != end.Expr) && !f.harmless(call) {
					return true
				}
			case accesses.OnGo, accesses.OnDefer, accesses.OnSend:
				return true
			case accesses.OnAccess:
				if ev.Access.Mode == atomicity.Write && ev.Access != end {
					return true
				}
			}
		}
	}
	return false
}

// actsOnFound says whether a branch on whether the entry has found something uses,
// and not merely looks at, what was found: closes or stops it, say, before h puts
// another one in its place.
func (f *finding) actsOnFound(h *hit) bool {
	value := f.foundValue()
	if value == nil {
		return false
	}
	for _, test := range f.trail.tests {
		if f.trail.weak[test] || len(f.body.CFG.Blocks[test].Succs) != 2 {
			continue
		}
		for edge := range 2 {
			succs := f.body.CFG.Blocks[test].Succs
			mine, other := f.reaches(succs[edge], test), f.reaches(succs[1-edge], test)
			if !mine[h.block] {
				continue
			}
			for i, events := range f.body.Events {
				if !mine[i] || other[i] {
					continue
				}
				for _, ev := range events {
					if call, ok := ev.Node.(*ast.CallExpr); ok && ev.Kind == accesses.OnCall && !f.harmless(call) && f.mentions(call, value) {
						return true
					}
				}
			}
		}
	}
	return false
}

// foundValue is the local that holds what the entry has found, or nil.
func (f *finding) foundValue() types.Object {
	call, ok := f.entry.Expr.(*ast.CallExpr)
	if !ok || len(f.values.taken[call]) == 0 {
		return nil
	}
	id, ok := f.values.taken[call][0].(*ast.Ident)
	if !ok || id.Name == "_" {
		return nil
	}
	return f.pkg.Info.ObjectOf(id)
}

// claims says whether the test alone decides that the end is reached, so that
// it takes what the test found free. A flag that is set on some further
// condition mostly just remembers what everybody finds out alike; that nothing has
// gone wrong on the way is no such condition, nor that the lock was free.
func (f *finding) claims(end *hit) bool {
	for block, conds := range f.body.Conds {
		if conds == nil || slices.Contains(f.trail.tests, block) || f.asksForError(conds) && !f.onFailure(block, end) || f.triesLock(conds) {
			continue
		}
		after := false
		for _, test := range f.trail.tests {
			there, edge := f.decides(test, end.block)
			if !there || f.reaches(f.body.CFG.Blocks[test].Succs[edge], block)[end.block] {
				continue // as the condition of a loop around both
			}
			if ok, same := f.decides(test, block); ok && same == edge {
				after = true
			}
		}
		if ok, _ := f.decides(block, end.block); ok && after {
			return false
		}
	}
	return true
}

// callerDecides says whether a parameter that is true or false decides, beside the test,
// whether the end is reached: who passes it knows who else is there.
func (f *finding) callerDecides(end *hit) bool {
	for block, conds := range f.body.Conds {
		if len(conds) != 1 {
			continue
		}
		id, ok := ast.Unparen(conds[0]).(*ast.Ident)
		if !ok || !f.isParameter(id) {
			continue
		}
		if decides, _ := f.decides(block, end.block); decides {
			return true
		}
	}
	return false
}

// asksForError says whether the condition is err != nil, for whatever error.
func (s *search) asksForError(conds []ast.Expr) bool {
	for _, c := range conds {
		b, ok := ast.Unparen(c).(*ast.BinaryExpr)
		if !ok || b.Op != token.NEQ && b.Op != token.EQL || !s.pkg.Info.Types[b.Y].IsNil() || !isError(s.pkg.Info.TypeOf(b.X)) {
			return false
		}
	}
	return len(conds) > 0
}

// onFailure says whether control comes to the end where the block has found an error, and not
// otherwise.
func (f *finding) onFailure(block int, end *hit) bool {
	ok, way := f.decides(block, end.block)
	return ok && way != errorFree(f.body.Conds[block][0])
}

// triesLock says whether the condition is the answer of TryLock.
func (s *search) triesLock(conds []ast.Expr) bool {
	if len(conds) != 1 {
		return false
	}
	cond, _ := asked(conds[0])
	call, ok := cond.(*ast.CallExpr)
	if !ok {
		return false
	}
	fn := s.locks.Callee(call)
	return fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "sync" && (fn.Name() == "TryLock" || fn.Name() == "TryRLock")
}

// takesBackAlone says whether the branch of the end does nothing but to set the variable back to
// false, itself or by a setter: whoever comes second finds it so.
func (f *finding) takesBackAlone(end *hit) bool {
	values := stored(end.source())
	if end.Mode != atomicity.Write || end.depth > 1 || len(values) != 1 || !isBoolean(f.entry.Var.Obj.Type()) || !f.unsets(values[0]) || end.via != nil && !f.endsHarmlessly(end.via) {
		return false
	}
	return !f.doesBeside(end, func(call *ast.CallExpr) bool { return call == end.via || f.handlesLock(call) })
}

// onlyWakes says whether the branch of the end does nothing besides but to wake, under a lock or
// without one, those who wait for a sync.Cond: they look for themselves what has changed.
func (f *finding) onlyWakes(end *hit) bool {
	if end.via != nil {
		return false
	}
	woken := false
	return !f.doesBeside(end, func(call *ast.CallExpr) bool {
		fn := f.locks.Callee(call)
		wakes := fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "sync" && (fn.Name() == "Broadcast" || fn.Name() == "Signal")
		woken = woken || wakes
		return wakes || ast.Expr(call) == end.Expr || f.handlesLock(call)
	}) && woken
}

// doesBeside says whether the branch of the end does anything but to make the calls that are
// let pass, and those that are harmless.
func (f *finding) doesBeside(end *hit, pass func(*ast.CallExpr) bool) bool {
	return f.inBranch(end, func(ev accesses.Event) bool {
		switch ev.Kind {
		case accesses.OnCall:
			call := ev.Node.(*ast.CallExpr)
			return !pass(call) && !f.harmless(call)
		case accesses.OnGo, accesses.OnDefer, accesses.OnSend, accesses.OnReceive:
			return true
		case accesses.OnAccess:
			return ev.Access.Mode == atomicity.Write && ev.Access != end.Access
		}
		return false
	})
}

// handlesLock says whether the call takes or releases a mutex.
func (f *finding) handlesLock(call *ast.CallExpr) bool {
	fn := f.locks.Callee(call)
	return fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "sync" && (fn.Name() == "Lock" || fn.Name() == "Unlock")
}

// harmless says whether a call can be made twice without anybody noticing.
func (f *finding) harmless(call *ast.CallExpr) bool {
	if tv, ok := f.pkg.Info.Types[call.Fun]; ok && tv.IsType() {
		return true
	}
	if reads := f.values.reads[call]; len(reads) > 0 {
		for _, a := range reads {
			if a.Mode != atomicity.Read || a.Method == "Range" {
				return false
			}
		}
		return true
	}
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok {
		if b, ok := f.pkg.Info.Uses[id].(*types.Builtin); ok {
			return b.Name() != "close" && b.Name() != "delete"
		}
	}
	fn := f.locks.Callee(call)
	if fn == nil || fn.Pkg() == nil {
		return false
	}
	if fn.Name() == "Close" && fn.Signature().Recv() != nil {
		switch fn.Pkg().Path() {
		case "net", "io", "os", "net/http", "crypto/tls":
			return true // the second Close answers with an error
		}
	}
	switch fn.Pkg().Path() {
	case "time", "fmt", "strings", "strconv", "log", "log/slog", "errors", "math", "runtime", "os":
		return true
	}
	return writesLog(fn)
}
