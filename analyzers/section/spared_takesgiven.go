package section

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// takesWhatItWasGiven says whether the critical section of the end goes on only where another
// field of the object is still what was read of it before, and unsets it: of those who have read
// one value there one alone comes to the end. Others replace the variable only while they ready
// the object.
//
//	func (x *X) replace(next *T) { // next was x.pending
//		old := x.current           // under x.mu, which is released
//		x.mu.Lock()
//		if x.pending != next { return }
//		x.current, x.pending = next, nil
func (f *finding) takesWhatItWasGiven(end *hit) bool {
	if !f.storesInHold(end) {
		return false
	}
	for _, look := range f.order {
		if look.Mode != atomicity.Read || look.Kind != access.Cell || look.via != nil || look.Var == f.entry.Var || !look.Var.Obj.IsField() || look.Var.Obj.Exported() || !look.held.Any() ||
			!look.place.Beside(end.place) || !f.oneHold(look, end.occurrence) || f.oneHold(f.entry, look) {
			continue
		}
		given := f.comparedTo(look, end)
		if given == nil || !f.wasRead(given, look.Var) {
			continue
		}
		unset := func(mark *occurrence) bool {
			state, known := f.broughtTo(mark)
			return known && state.unset()
		}
		if f.settledInHold(end, look, unset) && f.writtenHereAlone(end) {
			return true
		}
	}
	return false
}

// comparedTo is the local to which the look's variable has to be equal for control to come to
// the end.
func (f *finding) comparedTo(look *occurrence, end *hit) *types.Var {
	for _, test := range f.testsOf(look.Access, true) {
		decides, edge := f.decides(test, end.block)
		if !decides || test == end.block || len(f.body.Conds[test]) != 1 {
			continue
		}
		for _, p := range surely(f.body.Conds[test][0], edge == 0) {
			b, ok := ast.Unparen(p.cond).(*ast.BinaryExpr)
			if !ok || b.Op != token.EQL && b.Op != token.NEQ || (b.Op == token.EQL) != p.holds {
				continue
			}
			for _, sides := range [][2]ast.Expr{{b.X, b.Y}, {b.Y, b.X}} {
				id, ok := ast.Unparen(sides[1]).(*ast.Ident)
				if !ok || !f.is(sides[0], look.Access) {
					continue
				}
				if v, ok := f.pkg.Info.Uses[id].(*types.Var); ok && !v.IsField() && !accesses.IsGlobal(v) {
					return v
				}
			}
		}
	}
	return nil
}

// wasRead says whether the local holds what was read of the variable of the same object: by the
// body before the entry, or by all callers of a function that nobody else can call.
func (f *finding) wasRead(local *types.Var, v access.Var) bool {
	if !f.isParameterOf(local) {
		list := f.values.assigns[local]
		return len(list) == 1 && f.readOf(list[0].value, v, f.entry.place.Object()) && list[0].at <= f.pkg.Order(f.entry.Pos())
	}
	fn := f.body.Func
	if fn == nil || f.pkg.Exported(fn) || len(f.values.assigns[local]) > 0 || len(f.callersOf(fn)) == 0 || f.mentioned(fn) != len(f.callersOf(fn)) || fn.Signature().Recv() == nil || f.entry.place.Root != types.Object(fn.Signature().Recv()) {
		return false
	}
	current := f.bodyState
	defer func() { f.bodyState = current }()
	for _, b := range f.callersOf(fn) {
		f.bodyState = f.states[b]
		for _, events := range b.Events {
			for _, ev := range events {
				call, ok := ev.Node.(*ast.CallExpr)
				if !ok || ev.Kind != accesses.OnCall || f.locks.Callee(call) != fn {
					continue
				}
				sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
				if !ok || !f.readOf(f.locks.Argument(call, fn, local), v, f.pkg.PlaceOf(sel.X)) {
					return false
				}
			}
		}
	}
	return true
}

// readOf says whether the value of the expression is that of the variable of the object, as it
// was read with a lock held.
func (f *finding) readOf(e ast.Expr, v access.Var, object accesses.Place) bool {
	if e == nil {
		return false
	}
	return slices.ContainsFunc(f.order, func(r *occurrence) bool {
		return r.Var == v && r.Mode == atomicity.Read && r.via == nil && r.held.Any() && r.place.Object() == object && f.is(e, r.Access)
	})
}

// writtenHereAlone says whether no other function writes the variable of the end, but those that
// ready its object.
func (f *finding) writtenHereAlone(end *hit) bool {
	return !slices.ContainsFunc(f.ownAccesses(end.Var), func(w placed) bool {
		return w.Mode == atomicity.Write && w.Access != end.Access && !f.shared.SetsGoing(w.body)
	})
}
