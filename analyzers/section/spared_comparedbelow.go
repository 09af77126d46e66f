package section

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
)

// comparedBelow says whether the end is a write by a callee that it makes only if what was
// read together with the entry, a generation that it is given, is found again under the lock
// of the write; or, where it has read that itself, if it also ends what it replaces.
//
//	c, gen := x.link()                   // x.conn and x.gen under x.mu
//	x.reconnect(gen)                     // …; if x.gen != gen { return }; x.conn = fresh
func (f *finding) comparedBelow(end *hit) bool {
	o, st := f.writeBelow(end)
	if o == nil {
		return false
	}
	fn, caller := f.locks.Callee(end.via), f.bodyState
	defer func() { f.bodyState = caller }()
	f.bodyState = st
	for _, cond := range f.equalities(o) {
		for _, side := range [][2]ast.Expr{{cond.X, cond.Y}, {cond.Y, cond.X}} {
			now := f.readInHold(side[0], o)
			if now == nil {
				continue
			}
			if f.readsAgain(cond.X, cond.Y) && f.endsReplaced(o) {
				return true
			}
			id, ok := ast.Unparen(side[1]).(*ast.Ident)
			if !ok || !f.isParameter(id) {
				continue
			}
			param, _ := f.pkg.Info.ObjectOf(id).(*types.Var)
			if f.seenAbove(caller, f.locks.Argument(end.via, fn, param), now) {
				return true
			}
		}
	}
	return false
}

// equalities are the comparisons that hold wherever control comes to o.
func (s *search) equalities(o *occurrence) []*ast.BinaryExpr {
	var list []*ast.BinaryExpr
	for block, conds := range s.body.Conds {
		decides, edge := s.decides(block, o.block)
		if !decides || block == o.block || len(conds) != 1 {
			continue
		}
		for _, p := range surely(conds[0], edge == 0) {
			if b, ok := ast.Unparen(p.cond).(*ast.BinaryExpr); ok && (b.Op == token.EQL && p.holds || b.Op == token.NEQ && !p.holds) {
				list = append(list, b)
			}
		}
	}
	return list
}

// readInHold is the read of a field of the object that e is, in the critical section of o.
func (s *search) readInHold(e ast.Expr, o *occurrence) *occurrence {
	for _, r := range s.order {
		if r.Mode == atomicity.Read && r.via == nil && ast.Unparen(r.Expr) == ast.Unparen(e) && r.Var.Obj.IsField() && r.Var != o.Var && r.place.Beside(o.place) && s.oneHold(r, o) {
			return r
		}
	}
	return nil
}

// seenAbove says whether the caller has the argument from a read of the same field which it
// made together with the entry.
func (f *finding) seenAbove(caller *bodyState, arg ast.Expr, now *occurrence) bool {
	if arg == nil {
		return false
	}
	callee := f.bodyState
	defer func() { f.bodyState = callee }()
	f.bodyState = caller
	for a := range f.values.of(arg) {
		o := f.occ[a]
		if o != nil && o.Var == now.Var && (f.entry.via != nil && o.via == f.entry.via || f.oneHold(o, f.entry) || f.oneHold(f.entry, o)) {
			return true
		}
	}
	return false
}

// endsReplaced says whether the body keeps what w replaces, in the critical section of w, and
// ends it afterwards.
func (s *search) endsReplaced(w *occurrence) bool {
	return slices.ContainsFunc(s.order, func(r *occurrence) bool {
		if r.Mode != atomicity.Read || r.via != nil || !r.sameInstance(w) || !s.before(r, w) || !s.oneHold(r, w) {
			return false
		}
		old := s.entriesOf(r)
		return slices.ContainsFunc(slices.Concat(s.body.Events...), func(ev accesses.Event) bool {
			call, ok := ev.Node.(*ast.CallExpr)
			if !ok || ev.Kind != accesses.OnCall || s.before(ev, w) {
				return false
			}
			sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
			return ok && endings.MatchString(sel.Sel.Name) && slices.ContainsFunc(old, func(v types.Object) bool { return s.isObject(sel.X, v) })
		})
	})
}
