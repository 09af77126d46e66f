package section

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// spared says why the code around an unprotected section shows that nobody can
// break it, or that it does not matter; or nothing if it does not.
func (f *finding) spared(c *Candidate, end *hit) string {
	test := c.Pattern == atomicity.TestAndUse
	switch {
	case f.shared.Constructing(f.body):
		return "the object is being made"
	case f.excused(c):
		return knownByComment
	case f.shared.UsedByOne(f.body):
		return "a comment says that one goroutine at a time uses the object"
	case f.entry.Kind == access.Atomic:
		return f.sparedAtomic(c, end)
	case f.entry.Kind == access.SyncMap:
		switch {
		case f.elects(end), f.asksWhoWon(end.block):
			return anElection
		case f.randomKey(end):
			return aRandomKey
		case f.singleWriter():
			return "the function relies on being the only writer"
		}
		return ""
	case len(f.semaphores()) > 0 && f.holdsSemaphore(f.semaphores()):
		return "a channel is used as a lock"
	case f.holdsUnknownLock():
		return "an unknown lock is held"
	case end.Mode == atomicity.Write && f.readersLock(c, end):
		return "the read lock guards another object"
	case f.compared(end), f.comparedBelow(end):
		return comparedAnew
	case f.claimedAtOnce(end), f.claimedBeside(end), f.claimedInside(end):
		return changedAtOnce
	case len(end.dropped) > 0 && f.leadsTo(end.occurrence, f.entry):
		return nextTurnLooks
	case f.askedOnceMore(end):
		return looksForItself
	case f.retested(end):
		return conditionLooks
	case f.replaced(end):
		return readOnceMore
	case f.letOneIn(end):
		return oneLetIn
	case f.settlesBeside(end), f.takesWhatItWasGiven(end):
		return settledBeside
	case !test:
		return ""
	case f.assertion(end):
		return "whoever calls it sees to that: it panics otherwise"
	case f.randomKey(end):
		return aRandomKey
	case end.depth > 1 && len(end.stores) == 0 && len(end.dropped) == 0 && end.Method != "delete":
		return "it lies deep below something that does much else"
	case f.countsOut(end):
		return countedOutAnyway
	case f.consumes(end):
		return othersOnlyAdd
	case f.answered(end):
		return answersItself
	}
	if why := f.chosen(end); why != "" {
		return why
	}
	if c.Category == "unlock-relock" || c.Category == "rlock-upgrade" {
		switch {
		case end.Mode == atomicity.Write && f.waits(end):
			return waitsForChange
		case f.around(end):
			return nextTurnLooks
		case f.disables(end):
			return takesFlagBack
		}
	}
	return ""
}

// sparedAtomic is spared for an atomic variable.
func (f *finding) sparedAtomic(c *Candidate, end *hit) string {
	switch {
	case f.singleWriter():
		return "the function relies on being the only writer"
	case f.ownedType() && !f.neverSet(end):
		return "one goroutine uses the objects of the type"
	case f.oneEnd() && !f.extreme(end):
		return "one goroutine has this end"
	case f.elected(c.Pattern, end), f.asksWhoWon(end.block), f.wonAt(f.entry.block):
		return anElection
	case end.depth > 1 && adds(end.Access):
		return "it lies deep below something that does much else"
	case c.Pattern != atomicity.TestAndUse:
		if f.carriesAnother(end) {
			return "the function relies on being the only writer"
		}
		return ""
	case f.countsAlone(end):
		return othersOnlyAdd
	case f.counted(end):
		return countedAnew
	case f.softBound(end):
		return boundIsSoft
	}
	return f.chosen(end)
}

// chosen says why one goroutine alone comes from the test to the end, which helps
// against those who come to it twice, and not against others.
func (f *finding) chosen(end *hit) string {
	switch {
	case end.Mode != atomicity.Write:
		return ""
	case f.sameAgain(end) && !f.tellsOfChange(end) && f.closes(end) == "" && !f.neverSet(end):
		return storesTheSame
	case f.addsToSome(end):
		return storesTheSame
	case f.won(end):
		return anElection
	case f.claimed(end):
		return claimedByAnother
	}
	return ""
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
		if id, ok := cond.(*ast.Ident); ok {
			if list := f.values.assigns[f.pkg.Info.ObjectOf(id)]; len(list) == 1 {
				if b, ok := ast.Unparen(list[0].value).(*ast.BinaryExpr); ok {
					cond = b
				}
			}
		}
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
	if !isBoolean(t) {
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
		// For constants of two kinds, such as 0 and "", Compare says whatever it likes.
		return x.Value.Kind() == y.Value.Kind() && constant.Compare(x.Value, token.EQL, y.Value)
	}
	if x.IsNil() || y.IsNil() {
		return x.IsNil() && y.IsNil()
	}
	return x.Value == nil && y.Value == nil && f.plainText(a) == f.plainText(b)
}

// won says whether only one goroutine comes to the end, since an indivisible
// operation on another variable has chosen it.
func (f *finding) won(end *hit) bool {
	return f.wonAt(end.block) || f.asksWhoWon(end.block) || f.gated()
}

// wonAt is won for a block of the body.
func (f *finding) wonAt(at int) bool {
	for block, conds := range f.body.Conds {
		for _, cond := range conds {
			ok, edge := f.decides(block, at)
			if !ok {
				continue
			}
			b, _ := ast.Unparen(cond).(*ast.BinaryExpr)
			for a := range f.values.of(cond) {
				if a.Kind != access.Atomic || a.Var == f.entry.Var {
					continue
				}
				if strings.HasPrefix(a.Method, "CompareAndSwap") || strings.HasPrefix(a.Method, "Swap") ||
					strings.HasPrefix(a.Method, "Add") && b != nil && (b.Op == token.EQL && edge == 0 || (b.Op == token.GTR || b.Op == token.NEQ) && edge == 1) {
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
		if o.Mode != atomicity.Write || o.Kind == access.Atomic || o.Kind == access.SyncMap || o.via != nil || len(o.held) > 0 ||
			!o.place.Valid() || o.place.Root != f.entry.place.Root || !o.Var.Obj.IsField() || o.Var.Obj == f.entry.Var.Obj {
			continue
		}
		if _, atomic := f.atomics()[o.Var]; atomic || f.reachOf(o) == shared.Private || f.byDefault(o) || f.decided(f.trail.tests, o.block) && !f.writesAlone() {
			continue
		}
		return true
	}
	return false
}

// byDefault says whether the write gives the variable a constant in place of a value that
// will not do: if c.size < 1 { c.size = 1 }.
func (s *search) byDefault(w *occurrence) bool {
	values := stored(w.Access)
	if len(values) != 1 || s.pkg.Info.Types[values[0]].Value == nil || isBoolean(s.pkg.Info.TypeOf(values[0])) {
		return false
	}
	return slices.ContainsFunc(s.order, func(r *occurrence) bool {
		return r.Mode == atomicity.Read && r.via == nil && r.sameInstance(w) && s.decided(s.testsOf(r.Access, true), w.block)
	})
}

// carriesAnother says whether the body loads another atomic variable of the same object
// too, and stores later what it has made of that: two that carry both forward would
// leave the one of the first and the other of the second. To add to two counters, each
// in one statement, is another matter.
func (f *finding) carriesAnother(end *hit) bool {
	apart := func(r, w *occurrence) bool {
		return r.Kind == access.Atomic && w.Kind == access.Atomic && r.Var == w.Var && r.Mode == atomicity.Read && w.Mode == atomicity.Write &&
			r.via == nil && w.via == nil && strings.HasPrefix(w.Method, "Store") && (r.Pos() < w.Expr.Pos() || w.Expr.End() <= r.Pos())
	}
	if !apart(f.entry, end.occurrence) {
		return false
	}
	for _, w := range f.order {
		if w.Var == f.entry.Var || !w.place.Valid() || w.place.Root != f.entry.place.Root || !w.Var.Obj.IsField() || w.held.Any() {
			continue
		}
		for _, v := range stored(w.Access) {
			for a := range f.values.of(v) {
				if r := f.occ[a]; r != nil && apart(r, w) {
					return true
				}
			}
		}
	}
	return false
}

// writesAlone says whether no other function writes the variable, constructors
// aside.
func (f *finding) writesAlone() bool {
	for _, b := range f.pkg.Bodies {
		if b.Outermost() == f.body.Outermost() || f.shared.Constructing(b) {
			continue
		}
		for _, o := range f.states[b].order {
			if o.Var == f.entry.Var && o.Mode == atomicity.Write {
				return false
			}
		}
	}
	return true
}

// readersLock says whether the lock that is held at the end is held for reading
// only, belongs to another object than the variable, and never excludes anybody
// where the variable is written: it guards what the other object holds.
func (f *finding) readersLock(c *Candidate, end *hit) bool {
	if c.Category != "write-under-rlock" && c.Category != "test-before-lock" && c.Category != "read-before-lock" {
		return false
	}
	for l, m := range end.held {
		if m == locks.Exclusive || l.Root == nil || l.Root != f.entry.place.Root || l.Beside(f.entry.place) && (!f.lockPointer(l) || f.madeWithLock(l.Field())) {
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

// lockPointer says whether the field at the end of the lock's path is a pointer: its
// object was given the lock of another one, unless it was made with the object.
func (f *finding) lockPointer(l accesses.Place) bool {
	field := l.Field()
	if field == nil || l.Object().Path != "" {
		return false
	}
	_, pointer := field.Type().Underlying().(*types.Pointer)
	return pointer
}

// waits says whether the body waits for a channel on the way from the entry to the end,
// with the lock released: it means others to change what it looked at. A branch that
// waits and then returns, or looks again, is not on the way.
func (f *finding) waits(end *hit) bool {
	found := false
	f.locks.Walk(f.body, func(block, _ int, ev accesses.Event, held locks.Set) {
		if ev.Kind == accesses.OnReceive && !held.Any() && len(f.locks.Ops(ev)) == 0 && f.before(f.entry, ev) && f.before(ev, end) && !f.closedBefore(ev) {
			found = found || block == end.block || f.reaches(f.body.CFG.Blocks[block], f.entry.block)[end.block]
		}
	})
	return found
}

// closedBefore says whether the function closes a channel between the entry and the event: it
// waits for those whom it has told.
func (f *finding) closedBefore(ev accesses.Event) bool {
	return f.meanwhile(f.entry.Pos(), ev.Pos(), func(ev accesses.Event, _ locks.Set) bool {
		return ev.Kind == accesses.OnCall && f.closeOf(ev.Node) != nil
	})
}

// assertion says whether the tests that lead to the end do no more than to panic otherwise:
// what they find is a mistake of the caller's.
func (f *finding) assertion(end *hit) bool {
	if end.Mode != atomicity.Write || f.closes(end) != "" || f.entry.held.Any() && end.held.Any() && f.refusesByPanic(end) {
		return false
	}
	found := false
	for _, test := range f.trail.tests {
		ok, edge := f.decides(test, end.block)
		if !ok {
			continue
		}
		if succs := f.body.CFG.Blocks[test].Succs; edge < 0 || len(succs) < 2 || !f.panics(succs[1-edge]) {
			return false
		}
		found = true
	}
	return found
}

// around says whether the end comes before the entry in the text: the test
// decides whether a loop goes on, and the next turn looks afresh.
func (f *finding) around(end *hit) bool {
	return end.via == nil && f.entry.via == nil && f.before(end, f.entry)
}

// disables says whether the end takes a flag or an entry of a map back on a
// further condition, which everybody finds out alike.
func (f *finding) disables(end *hit) bool {
	values := stored(end.source())
	if end.Method == "delete" && end.via == nil {
		return !f.claims(end)
	}
	if len(values) != 1 || f.claims(end) {
		return false
	}
	tv := f.pkg.Info.Types[values[0]]
	return tv.Value != nil && tv.Value.Kind() == constant.Bool && !constant.BoolVal(tv.Value)
}

// consumes says whether one goroutine takes away what others only add: nobody
// else can make less of what it has seen.
func (f *finding) consumes(end *hit) bool {
	u := f.shared.Use(f.entry.Var)
	if u == nil || !f.shared.Single(f.body) {
		return false
	}
	if _, ok := f.entry.Var.Obj.Type().Underlying().(*types.Slice); !ok {
		return false
	}
	for w := range u.Writes {
		if w == f.body {
			continue
		}
		for _, o := range f.states[w].order {
			if o.Var == f.entry.Var && o.Mode == atomicity.Write && o.via == nil && !f.appends(o.Access) && f.reachOf(o) != shared.Private {
				return false
			}
		}
	}
	return true
}

// appends says whether the write is x = append(x, …).
func (f *finding) appends(w *access.Access) bool {
	values := stored(w)
	if len(values) != 1 {
		return false
	}
	call, ok := ast.Unparen(values[0]).(*ast.CallExpr)
	if !ok || len(call.Args) < 2 {
		return false
	}
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	return ok && id.Name == "append" && types.ExprString(call.Args[0]) == types.ExprString(w.Expr)
}
