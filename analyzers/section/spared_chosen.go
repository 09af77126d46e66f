package section

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// claimed says whether the function comes to the end only after it has looked at
// another variable and changed it in the same critical section: of two
// goroutines, the second does not get as far.
func (f *finding) claimed(end *hit) bool {
	for _, look := range f.order {
		if look.Mode != atomicity.Read || look.Var == f.entry.Var || f.before(end, look) || !look.held.Any() || look.via != nil {
			continue
		}
		tests := f.testsOf(look.Access, true)
		if !f.decided(tests, end.block) || f.oneOfMany(look) || f.ofAnotherEntry(look, end) {
			continue
		}
		for _, mark := range f.order {
			if mark.Mode == atomicity.Write && mark.Var == look.Var && f.before(look, mark) && f.before(mark, end) && f.oneHold(look, mark) && !f.parted(tests, mark.block, end.block) && !f.outbid(look, mark) {
				return true
			}
		}
		if f.finds(look, end.occurrence, false) && f.oneHold(look, end.occurrence) && f.marks(end, look) && f.setOnce(look.Var) {
			return true
		}
	}
	return false
}

// parted says whether one of the tests leads to one of the blocks where it comes out one
// way, and to the other where it comes out the other way.
func (s *search) parted(tests []int, a, b int) bool {
	return slices.ContainsFunc(tests, func(test int) bool {
		there, edge := s.decides(test, a)
		too, other := s.decides(test, b)
		return there && too && edge != other
	})
}

// marks says whether the body goes on from the end, with the lock held, to a write of what
// it has looked at before it.
func (f *finding) marks(end *hit, look *occurrence) bool {
	return slices.ContainsFunc(f.order, func(mark *occurrence) bool {
		return mark.Mode == atomicity.Write && mark.via == nil && mark.sameInstance(look) && f.oneHold(end.occurrence, mark)
	})
}

// claimedAtOnce says whether the critical section of the entry changes the
// variable itself where the test leads to: what happens later is not the claim.
func (f *finding) claimedAtOnce(end *hit) bool {
	for _, mark := range f.order {
		if mark.Mode == atomicity.Write && mark.Access != end.Access && mark.via == nil && mark.sameInstance(f.entry) && mark.Update == nil &&
			f.entry.held.Any() && f.before(f.entry, mark) && (f.before(mark, end) || end.lit && mark.Method != "delete") && f.decided(f.trail.tests, mark.block) && f.oneHold(f.entry, mark) {
			return true // a goroutine that it starts before that waits for the lock
		}
	}
	return false
}

// claimedBeside says whether the critical section that looked at the variable has also found
// that a flag beside it was not set, and has set it until the end: x.storage == nil &&
// !x.opening; x.opening = true; …; x.opening = false.
func (f *finding) claimedBeside(end *hit) bool {
	return slices.ContainsFunc(f.order, func(mark *occurrence) bool {
		return mark.Mode == atomicity.Write && mark.via == nil && mark.Update == nil && mark.Var != f.entry.Var && mark.place.Root == f.entry.place.Root && isFlag(mark.Var) &&
			f.entry.held.Any() && f.before(f.entry, mark) && (f.before(mark, end) || f.begunAfter(mark, end)) && f.decided(f.trail.tests, mark.block) && f.oneHold(f.entry, mark) && f.alsoAsked(mark) && f.takenBack(mark)
	})
}

// begunAfter says whether the end lies in a literal with which the body begins a goroutine after the mark.
func (f *finding) begunAfter(mark *occurrence, end *hit) bool {
	for _, events := range f.body.Events {
		for _, ev := range events {
			g, ok := ev.Node.(*ast.GoStmt)
			if !ok || ev.Kind != accesses.OnGo || !f.before(mark, ev) {
				continue
			}
			begun := ast.Node(ast.Unparen(g.Call.Fun))
			if id, ok := begun.(*ast.Ident); ok {
				if lit := f.locks.NamedLit(id); lit != nil {
					begun = lit.Node
				}
			}
			if lit, ok := begun.(*ast.FuncLit); ok && lit.Pos() <= end.Pos() && end.Pos() < lit.End() {
				return true
			}
		}
	}
	return false
}

// takenBack says whether the body sets the flag at the mark, and clears it later, or a literal in it does: that is
// the goroutine which it starts for what it has claimed.
func (f *finding) takenBack(mark *occurrence) bool {
	is := func(o *occurrence, what bool) bool {
		values := stored(o.Access)
		if len(values) != 1 {
			return false
		}
		v := f.pkg.Info.Types[values[0]].Value
		return v != nil && v.Kind() == constant.Bool && constant.BoolVal(v) == what
	}
	if !is(mark, true) {
		return false
	}
	return slices.ContainsFunc(f.order, func(o *occurrence) bool {
		return o.Mode == atomicity.Write && o.via == nil && o.Var == mark.Var && f.before(mark, o) && is(o, false)
	}) || slices.ContainsFunc(f.ownAccesses(mark.Var), func(k placed) bool {
		return k.body.Parent == f.body && k.Mode == atomicity.Write && is(k.occurrence, false)
	})
}

// alsoAsked says whether the body, or the getter by which it looks at the variable, looks at
// that of the mark as well.
func (f *finding) alsoAsked(mark *occurrence) bool {
	reads := func(o *occurrence) bool { return o.Mode == atomicity.Read && o.Var == mark.Var }
	if f.entry.via != nil {
		if b := f.pkg.ByFunc[f.locks.Callee(f.entry.via)]; b != nil && slices.ContainsFunc(f.stateOf(b).order, reads) {
			return true
		}
	}
	return slices.ContainsFunc(f.order, func(o *occurrence) bool {
		return reads(o) && f.before(o, mark) && f.decided(f.testsOf(o.Access, false), mark.block)
	})
}

// counted says whether the end is an addition whose result is looked at, which
// tests again what the entry has tested, or one that leads away from the bound
// that was tested.
func (f *finding) counted(end *hit) bool {
	if !strings.HasPrefix(end.Method, "Add") {
		return false
	}
	if _, returned := end.Stmt.(*ast.ReturnStmt); returned || len(f.testsOf(end.Access, false)) > 0 {
		return true
	}
	values := stored(end.source())
	if call := end.via; call != nil && len(call.Args) == 1 {
		values = call.Args // of a wrapper
	}
	if len(values) != 1 {
		return false
	}
	if minus, ok := ast.Unparen(values[0]).(*ast.UnaryExpr); ok && minus.Op == token.SUB {
		if _, taken := f.values.of(minus.X)[f.entry.Access]; taken {
			return true // it takes away what it has seen, and leaves what came since
		}
	}
	tv := f.pkg.Info.Types[values[0]]
	if tv.Value == nil || end.via != nil {
		return false
	}
	for _, test := range f.trail.tests {
		b, ok := ast.Unparen(f.body.Conds[test][0]).(*ast.BinaryExpr)
		if !ok {
			continue
		}
		if _, onLeft := f.values.of(b.X)[f.entry.Access]; !onLeft {
			continue
		}
		decides, edge := f.decides(test, end.block)
		above := b.Op == token.GTR || b.Op == token.GEQ
		below := b.Op == token.LSS || b.Op == token.LEQ
		if edge == 1 {
			above, below = below, above
		}
		if sign := constant.Sign(tv.Value); decides && !f.revives(end) && (above && sign > 0 || below && sign < 0) {
			return true
		}
	}
	return false
}

// elected says whether the end is reached only by the goroutine whose
// CompareAndSwap of another variable has succeeded since the entry. Where it gives its turn back afterwards, the next one
// can have read what is updated before this turn was over.
func (f *finding) elected(pattern atomicity.Pattern, end *hit) bool {
	for _, o := range f.order {
		if pattern == atomicity.LoadAndStore && slices.ContainsFunc(f.order, func(back *occurrence) bool {
			return back.Method == "Store" && back.sameInstance(o) && f.before(end.occurrence, back)
		}) {
			continue
		}
		if o.Kind == access.Atomic && strings.HasPrefix(o.Method, "CompareAndSwap") && o.Var != f.entry.Var && o.via == nil &&
			f.before(f.entry, o) && f.before(o, end) && f.decided(f.testsOf(o.Access, true), end.block) {
			return true
		}
	}
	return false
}

// elects says whether an indivisible operation between entry and end chooses a
// goroutine.
func (f *finding) elects(end *hit) bool {
	for _, o := range f.order {
		if o.Kind == access.Atomic && (strings.HasPrefix(o.Method, "CompareAndSwap") || strings.HasPrefix(o.Method, "Swap")) &&
			f.before(f.entry, o) && f.before(o, end) {
			return true
		}
	}
	return false
}

// askedOnceMore says whether the entry and the end are reads by two calls of one function which
// returns an error: the second one looks for itself as the first did, and tells what it has
// found.
//
//	if err := tx.exec(first); err != nil { return err }
//	return tx.exec(second)
func (f *finding) askedOnceMore(end *hit) bool {
	if end.Mode != atomicity.Read || end.via == nil || f.entry.via == nil || end.lit || f.entry.lit {
		return false
	}
	fn := f.locks.Callee(end.via)
	if fn == nil || fn != f.locks.Callee(f.entry.via) {
		return false
	}
	results := fn.Signature().Results()
	return results.Len() > 0 && isError(results.At(results.Len()-1).Type())
}

// answered says whether the end is a call that tells whether it has found what
// the entry saw, as a Delete does that returns whether there was something, and
// whose answer the function takes.
func (f *finding) answered(end *hit) bool {
	if end.via == nil {
		return false
	}
	b := f.pkg.ByFunc[f.locks.Callee(end.via)]
	if b == nil || f.states[b] == nil {
		return false
	}
	taken := true
	ast.Inspect(f.body.Block, func(n ast.Node) bool {
		if stmt, ok := n.(*ast.ExprStmt); ok && ast.Unparen(stmt.X) == ast.Expr(end.via) {
			taken = false
		}
		return taken
	})
	if !taken {
		return false
	}
	st := f.states[b]
	for a := range f.returned(b, st) {
		if o := st.occ[a]; o != nil && o.Var == end.Var && !storedBefore(st, o) {
			return true
		}
	}
	return false
}

// storedBefore says whether the straight line of code that comes to the read has stored there
// itself, as in m.items[k] = x; return m.items[k]: it tells nothing but what was stored.
func storedBefore(st *bodyState, read *occurrence) bool {
	return slices.ContainsFunc(st.order, func(w *occurrence) bool {
		return w.Mode == atomicity.Write && w.Method != "delete" && w.via == nil && w.block == read.block && w.index < read.index && w.sameInstance(read) &&
			(w.Key == nil) == (read.Key == nil) && (w.Key == nil || types.ExprString(w.Key) == types.ExprString(read.Key))
	})
}
