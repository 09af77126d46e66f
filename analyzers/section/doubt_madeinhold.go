package section

import (
	"go/ast"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// madeInItsHold says whether the atomic variable was loaded without a lock, and what is stored is made
// by a call under one that the function takes afterwards, and for nothing else:
//
//	if p := s.current.Load(); p != nil { return p }
//	s.createMu.Lock()
//	defer s.createMu.Unlock()
//	p := create()
//	s.current.Store(p)
//
// The lock is there for one to be made, and the second who waits for it makes another one. Where
// something else is read or written under it, the lock may be for that, and what is stored a copy that
// anybody can make again.
func (f *finding) madeInItsHold(end *hit) bool {
	if f.entry.Kind != access.Atomic || f.entry.Mode != atomicity.Read || len(f.entry.held) > 0 || end.Mode != atomicity.Write {
		return false
	}
	held := locksOf(end.held)
	if len(held) != 1 || end.held[held[0]] != locks.Exclusive {
		return false
	}
	values := end.stores
	if end.via == nil {
		values = stored(end.Access)
	}
	if !slices.ContainsFunc(values, func(v ast.Expr) bool { return f.calledUnder(v, held[0], 0) }) {
		return false
	}
	class := locks.ClassOf(held[0])
	return !slices.ContainsFunc(f.order, func(o *occurrence) bool {
		return o.Var != f.entry.Var && o.lockOf(class).Valid() && !f.setOnce(o.Var)
	})
}

// calledUnder says whether the value is that of a call that is made
// with the lock held, or of a local that such a one is assigned to.
func (f *finding) calledUnder(v ast.Expr, lock accesses.Place, depth int) bool {
	switch v := ast.Unparen(v).(type) {
	case *ast.UnaryExpr:
		return depth < 3 && f.calledUnder(v.X, lock, depth+1)
	case *ast.Ident:
		return depth < 3 && slices.ContainsFunc(f.values.assigns[f.pkg.Info.ObjectOf(v)], func(d assignment) bool { return d.value != nil && f.calledUnder(d.value, lock, depth+1) })
	case *ast.CallExpr:
		fn := f.locks.Callee(v)
		if fn == nil || f.pkg.Info.Types[v.Fun].IsType() {
			return false
		}
		under := false
		for _, events := range f.body.Events {
			for _, ev := range events {
				under = under || f.takesLock(ev, lock) && f.pkg.Order(ev.Pos()) < f.pkg.Order(v.Pos())
			}
		}
		return under
	}
	return false
}

// takesLock says whether the event takes the lock.
func (s *search) takesLock(ev accesses.Event, lock accesses.Place) bool {
	return slices.ContainsFunc(s.locks.Ops(ev), func(op locks.Op) bool { return op.Kind == locks.Acquire && op.Lock == lock })
}
