package section

import (
	"go/ast"
	"go/constant"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// countsAlone says whether the end counts an atomic variable down of which the entry has found
// that it is not zero, where nobody else counts it down: each object has one goroutine that
// does, which is started where the object is made. What others add leaves the test true.
//
//	due := &counter{}
//	go s.pay(due) // for due.get() > 0 { …; due.add(-1) }
//	due.add(1)
func (f *finding) countsAlone(end *hit) bool {
	if end.Kind != access.Atomic || end.Mode != atomicity.Write || f.difference(end.occurrence) >= 0 || !f.testsForZero() {
		return false
	}
	current := f.bodyState
	defer func() { f.bodyState = current }()
	starts := map[*ast.GoStmt]bool{}
	for _, b := range f.pkg.Bodies {
		if f.shared.Constructing(b) {
			continue
		}
		f.bodyState = f.states[b]
		for _, w := range f.order {
			if w.Var != end.Var || w.Mode != atomicity.Write || w.depth > 1 {
				continue
			}
			switch by := f.difference(w); {
			case by > 0:
			case by < 0:
				if !f.begunWith(b, w.place.Root, starts, 0) {
					return false
				}
			case w.via != nil || !adds(w.Access) || !f.addsParameter(b, w):
				return false
			}
		}
	}
	return len(starts) == 1
}

// testsForZero says whether each test of what the entry has read compares it with zero.
func (f *finding) testsForZero() bool {
	return len(f.trail.tests) > 0 && !slices.ContainsFunc(f.trail.tests, func(test int) bool {
		return slices.ContainsFunc(f.body.Conds[test], func(cond ast.Expr) bool {
			b, ok := ast.Unparen(cond).(*ast.BinaryExpr)
			return !ok || !f.isZero(b.X) && !f.isZero(b.Y)
		})
	})
}

// difference is the sign of the constant that the write adds, itself or by the method that is
// called, or 0 if it is not known.
func (s *search) difference(w *occurrence) int {
	if w.via == nil {
		return s.step(w)
	}
	if !adds(w.Access) || len(w.via.Args) != 1 {
		return 0
	}
	tv := s.pkg.Info.Types[w.via.Args[0]]
	if tv.Value == nil || tv.Value.Kind() != constant.Int {
		return 0
	}
	return constant.Sign(tv.Value)
}

// addsParameter says whether the write, in a method of the package's own, adds the method's
// parameter: its callers tell how much.
func (s *search) addsParameter(b *accesses.Body, w *occurrence) bool {
	values := stored(w.source())
	if b.Func == nil || s.pkg.Exported(b.Func) || len(values) != 1 {
		return false
	}
	id, ok := ast.Unparen(values[0]).(*ast.Ident)
	return ok && s.isParameter(id)
}

// begunWith says whether all runs of the body b have the object from go statements that start a
// goroutine for an object which was made just before, and notes these.
func (s *search) begunWith(b *accesses.Body, object types.Object, starts map[*ast.GoStmt]bool, depth int) bool {
	if object == nil || depth > 4 {
		return false
	}
	if b.Parent != nil {
		for _, events := range b.Parent.Events {
			for _, ev := range events {
				if start, ok := ev.Node.(*ast.GoStmt); ok && ev.Kind == accesses.OnGo && ast.Unparen(start.Call.Fun) == b.Node {
					starts[start] = true
					return s.madeBefore(b.Parent, object, start) && declaredEachTurn(b.Parent, object, start)
				}
			}
		}
		return false
	}
	v, ok := object.(*types.Var)
	if !ok || b.Func == nil || s.pkg.Exported(b.Func) || !isParameterOf(b.Func, v) {
		return false
	}
	found := false
	for _, c := range s.pkg.Bodies {
		for _, events := range c.Events {
			for _, ev := range events {
				call, _ := ev.Node.(*ast.CallExpr)
				start, isGo := ev.Node.(*ast.GoStmt)
				switch {
				case ev.Kind == accesses.OnGo && isGo:
					call = start.Call
				case ev.Kind == accesses.OnDefer:
					call = ev.Node.(*ast.DeferStmt).Call
				case ev.Kind != accesses.OnCall:
					continue
				}
				if s.locks.Callee(call) != b.Func {
					continue
				}
				arg, ok := ast.Unparen(s.locks.Argument(call, b.Func, v)).(*ast.Ident)
				if !ok {
					return false
				}
				from := s.pkg.Info.ObjectOf(arg)
				if isGo {
					starts[start] = true
					ok = s.madeBefore(c, from, start)
				} else {
					ok = c != b && s.begunWith(c, from, starts, depth+1)
				}
				if !ok {
					return false
				}
				found = true
			}
		}
	}
	return found
}

func isParameterOf(fn *types.Func, v *types.Var) bool {
	for p := range fn.Signature().Params().Variables() {
		if p == v {
			return true
		}
	}
	return false
}

// madeBefore says whether a statement before n in the same list gives the local an object that
// it makes.
func (s *search) madeBefore(b *accesses.Body, local types.Object, n ast.Stmt) bool {
	made := false
	ast.Inspect(b.Block, func(m ast.Node) bool {
		block, ok := m.(*ast.BlockStmt)
		if !ok || !slices.Contains(block.List, n) {
			return true
		}
		for _, stmt := range block.List[:slices.Index(block.List, n)] {
			assign, ok := stmt.(*ast.AssignStmt)
			if !ok || len(assign.Lhs) != len(assign.Rhs) {
				continue
			}
			for i, l := range assign.Lhs {
				if id, ok := l.(*ast.Ident); ok && s.pkg.Info.ObjectOf(id) == local {
					made = (&finding{search: s}).makes(assign.Rhs[i])
				}
			}
		}
		return false
	})
	return made
}
