package section

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// spared says whether the code around an unprotected section shows that nobody
// can break it, or that it does not matter.
func (f *finding) spared(c *Candidate, end *hit) bool {
	if f.shared.Constructing(f.body) || f.excused(c) {
		return true
	}
	test := c.Pattern == atomicity.TestAndUse
	if f.entry.Kind == access.Atomic {
		return f.singleWriter() || test && (f.sameAgain(end) || f.won(end))
	}
	if f.entry.Kind == access.SyncMap {
		return false
	}
	if s := f.semaphores(); len(s) > 0 && f.holdsSemaphore(s) || f.holdsUnknownLock() {
		return true
	}
	if end.Mode == atomicity.Write && f.readersLock(c, end) {
		return true
	}
	if !test {
		return false
	}
	if end.depth > 1 && len(end.stores) == 0 {
		return true // deep below something that does much else
	}
	return f.sameAgain(end) || f.won(end) || c.Category == "unlock-relock" && (f.waits(end) || f.marked(end) || f.around(end))
}

// sameAgain says whether the end stores the very value that the variable has on
// the way there: a second goroutine that stores it again changes nothing.
func (f *finding) sameAgain(end *hit) bool {
	values := stored(end.source())
	if end.via != nil && len(end.stores) > 0 {
		values = end.stores
	}
	if end.Mode != atomicity.Write || len(values) != 1 {
		return false
	}
	for _, test := range f.trail.tests {
		ok, edge := f.decides(test, end.block)
		if !ok || f.body.Conds[test] == nil {
			continue
		}
		cond, then := ast.Unparen(f.body.Conds[test][0]), edge == 0
		for {
			not, ok := cond.(*ast.UnaryExpr)
			if !ok || not.Op != token.NOT {
				break
			}
			cond, then = ast.Unparen(not.X), !then
		}
		if b, ok := cond.(*ast.BinaryExpr); ok && (b.Op == token.EQL || b.Op == token.NEQ) {
			equal := (b.Op == token.EQL) == then
			for _, side := range []ast.Expr{b.X, b.Y} {
				if _, mine := f.values.of(side)[f.entry.Access]; mine {
					continue
				}
				same := f.same(side, values[0])
				if same && equal {
					return true
				}
				if same && f.pkg.Info.Types[side].Value == nil && !f.pkg.Info.Types[side].IsNil() {
					return true // if x != v { x = v }
				}
			}
			continue
		}
		if tv := f.pkg.Info.Types[values[0]]; tv.Value != nil && tv.Value.Kind() == constant.Bool && constant.BoolVal(tv.Value) == then && f.testsItself(cond) {
			return true
		}
	}
	return false
}

// testsItself says whether the condition is the boolean variable itself.
func (f *finding) testsItself(cond ast.Expr) bool {
	t := f.pkg.Info.TypeOf(f.entry.Expr)
	if f.entry.Kind == access.Atomic {
		t = f.pkg.Info.TypeOf(cond)
	}
	basic, ok := t.Underlying().(*types.Basic)
	if !ok || basic.Info()&types.IsBoolean == 0 {
		return false
	}
	switch e := cond.(type) {
	case *ast.Ident:
		list := f.values.assigns[f.pkg.Info.ObjectOf(e)]
		return len(list) == 1 && ast.Unparen(list[0].value) == ast.Unparen(f.entry.Expr)
	}
	return cond == ast.Unparen(f.entry.Expr)
}

// same says whether two expressions have one value.
func (f *finding) same(a, b ast.Expr) bool {
	x, y := f.pkg.Info.Types[a], f.pkg.Info.Types[b]
	if x.Value != nil && y.Value != nil {
		return constant.Compare(x.Value, token.EQL, y.Value)
	}
	if x.IsNil() || y.IsNil() {
		return x.IsNil() && y.IsNil()
	}
	return x.Value == nil && y.Value == nil && f.plainText(a) == f.plainText(b)
}

// won says whether only one goroutine comes to the end, since an indivisible
// operation on another variable has chosen it.
func (f *finding) won(end *hit) bool {
	for block, conds := range f.body.Conds {
		for _, cond := range conds {
			if ok, _ := f.decides(block, end.block); !ok {
				continue
			}
			b, _ := ast.Unparen(cond).(*ast.BinaryExpr)
			for a := range f.values.of(cond) {
				if a.Kind != access.Atomic || a.Var == f.entry.Var {
					continue
				}
				if strings.HasPrefix(a.Method, "CompareAndSwap") || strings.HasPrefix(a.Method, "Swap") ||
					strings.HasPrefix(a.Method, "Add") && b != nil && b.Op == token.EQL {
					return true
				}
			}
		}
	}
	return false
}

// singleWriter says whether the body also writes a plain field of the same
// object without a lock: it relies on being the only one that writes, and the
// atomic is there for those who read. A write that the test of the entry leads
// to tells nothing, since the atomic may be meant to protect it.
func (f *finding) singleWriter() bool {
	if f.entry.via != nil && f.entry.depth > 1 {
		return false
	}
	for _, o := range f.order {
		if o.Mode != atomicity.Write || o.Kind != access.Cell || o.via != nil || len(o.held) > 0 ||
			!o.place.Valid() || o.place.Root != f.entry.place.Root || !o.Var.Obj.IsField() || o.Var == f.entry.Var {
			continue
		}
		if _, atomic := f.atomics()[o.Var]; atomic || f.reachOf(o) == shared.Private || f.decided(f.trail.tests, o.block) {
			continue
		}
		return true
	}
	return false
}

// readersLock says whether the lock that is held at the end is held for reading
// only, belongs to another object than the variable, and never excludes anybody
// where the variable is written: it guards what the other object holds.
func (f *finding) readersLock(c *Candidate, end *hit) bool {
	if c.Category != "write-under-rlock" && c.Category != "test-before-lock" && c.Category != "read-before-lock" {
		return false
	}
	for l, m := range end.held {
		if m == locks.Exclusive || l.Root == nil || l.Root != f.entry.place.Root || parent(l.Path) == parent(f.entry.place.Path) {
			return false
		}
	}
	for _, b := range f.pkg.Bodies {
		for _, o := range f.states[b].order {
			if o.Var != f.entry.Var || o.Mode != atomicity.Write {
				continue
			}
			for _, m := range o.held {
				if m == locks.Exclusive {
					return false
				}
			}
		}
	}
	return len(end.held) > 0
}

// parent is the path without its last field.
func parent(path string) string { return path[:max(0, strings.LastIndexByte(path, '.'))] }

// waits says whether the body waits for a channel between entry and end, with
// the lock released: it means others to change what it looked at.
func (f *finding) waits(end *hit) bool {
	return f.meanwhile(f.entry.Pos(), end.Pos(), func(ev accesses.Event, held locks.Set) bool {
		return ev.Kind == accesses.OnReceive && !held.Any()
	})
}

// meanwhile says whether some event of the body at a position from one to the
// other is as wanted.
func (s *search) meanwhile(from, to token.Pos, wanted func(ev accesses.Event, held locks.Set) bool) bool {
	found := false
	s.locks.Walk(s.body, func(_, _ int, ev accesses.Event, held locks.Set) {
		if !found && from < ev.Pos() && ev.Pos() < to && wanted(ev, held) {
			found = true
		}
	})
	return found
}

// around says whether the end comes before the entry in the text: the test
// decides whether a loop goes on, and the next turn looks afresh.
func (f *finding) around(end *hit) bool {
	return end.via == nil && f.entry.via == nil && end.Pos() < f.entry.Pos()
}

// marked says whether the critical section of the entry leaves a mark for
// others in another field of the object, one that the function looks at before
// the entry: who comes second does not get as far.
func (f *finding) marked(end *hit) bool {
	looked := map[access.Var]bool{}
	for _, o := range f.order {
		if o.place.Root == f.entry.place.Root && o.Mode == atomicity.Read && o.Var != f.entry.Var && o.Pos() < f.entry.Pos() &&
			f.decided(f.testsOf(o.Access, true), f.entry.block) {
			looked[o.Var] = true
		}
	}
	for _, o := range f.order {
		if o.Mode != atomicity.Write || !looked[o.Var] || o.place.Root != f.entry.place.Root || o.Pos() < f.entry.Pos() || o.Pos() > end.Pos() || !o.held.Any() {
			continue
		}
		kept := false
		f.onward(f.entry, func(block, index int, _ accesses.Event, held locks.Set) bool {
			if block == o.block && index == o.index {
				kept = kept || held.Any()
				return true
			}
			return false
		})
		if kept {
			return true
		}
	}
	return false
}
