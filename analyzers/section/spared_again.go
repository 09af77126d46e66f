package section

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// compared says whether the end is reached only if what was looked at before is
// found again: a variable of the object, read afresh, is equal to what was read
// of it, or the very same condition is asked a second time.
func (f *finding) compared(end *hit) bool {
	for block, conds := range f.body.Conds {
		for _, cond := range conds {
			decides, edge := f.decides(block, end.block)
			if !decides {
				continue
			}
			if f.askedBefore(block, cond, end) {
				return true
			}
			for _, p := range surely(cond, edge == 0) {
				if b, ok := ast.Unparen(p.cond).(*ast.BinaryExpr); ok && (b.Op == token.EQL || b.Op == token.NEQ) && f.readsAgain(b.X, b.Y) && f.seenWith(b) {
					return true
				}
			}
		}
	}
	return false
}

// readsAgain says whether the two expressions are of two reads of one field.
func (s *search) readsAgain(a, b ast.Expr) bool {
	for x, plainX := range s.values.of(a) {
		for y, plainY := range s.values.of(b) {
			if plainX && plainY && x != y && x.Var == y.Var && x.Var.Obj.IsField() {
				return true
			}
		}
	}
	return false
}

// looksTwice says whether both conditions themselves read one field, and not merely
// locals such as err.
func (s *search) looksTwice(a, b ast.Expr) bool {
	reads := func(e ast.Expr) map[access.Var]bool {
		vars := map[access.Var]bool{}
		ast.Inspect(e, func(n ast.Node) bool {
			if x, ok := n.(ast.Expr); ok {
				for _, r := range s.values.reads[ast.Unparen(x)] {
					if r.Var.Obj != nil && r.Var.Obj.IsField() {
						vars[r.Var] = true
					}
				}
			}
			return true
		})
		return vars
	}
	second := reads(b)
	for v := range reads(a) {
		if second[v] {
			return true
		}
	}
	return s.readsAgain(a, b)
}

// seenWith says whether a side of the comparison was read together with the
// entry: it is the entry, or was read in the same hold of a lock.
func (f *finding) seenWith(b *ast.BinaryExpr) bool {
	for _, side := range []ast.Expr{b.X, b.Y} {
		for a := range f.values.of(side) {
			if o := f.occ[a]; o != nil && (a == f.entry.Access || f.before(o, b) && (f.oneHold(o, f.entry) || f.oneHold(f.entry, o))) {
				return true
			}
		}
	}
	return false
}

// askedBefore says whether a branch further up, before a lock was released, that
// decides about the end as well depends on the same condition.
func (f *finding) askedBefore(block int, cond ast.Expr, end *hit) bool {
	if b, ok := ast.Unparen(cond).(*ast.BinaryExpr); !ok || b.Op != token.EQL && b.Op != token.NEQ {
		return false // no state, but a bound, or a call
	}
	if _, own := f.values.of(cond)[f.entry.Access]; own || f.before(cond, f.entry) {
		return false // it asks for the first time
	}
	for earlier, conds := range f.body.Conds {
		for _, c := range conds {
			if earlier == block || !f.before(c, cond) || types.ExprString(c) != types.ExprString(cond) {
				continue
			}
			if decides, _ := f.decides(earlier, end.block); decides && f.looksTwice(c, cond) && f.releasesBetween(c.Pos(), cond.Pos()) {
				return true
			}
		}
	}
	return false
}

func (f *finding) releasesBetween(from, to token.Pos) bool {
	return f.meanwhile(from, to, func(ev accesses.Event, _ locks.Set) bool {
		for _, op := range f.locks.Ops(ev) {
			if op.Kind != locks.Acquire {
				return true
			}
		}
		return false
	})
}

// retested says whether the end is a use in a condition that looks at the
// variable again before it: len(x) > 0 && x[0] == y.
func (f *finding) retested(end *hit) bool {
	if end.Mode != atomicity.Read {
		return false
	}
	for _, cond := range f.body.Conds[end.block] {
		for _, o := range f.order {
			if o.block == end.block && o.index < end.index && o.sameInstance(f.entry) &&
				!f.before(o, cond) && f.before(o, end) && f.pkg.Order(end.Pos()) < f.pkg.Order(cond.End()) {
				return true
			}
		}
	}
	return false
}

// replaced says whether the end reads the variable anew into the very local that holds
// what the entry has read: nothing is done with the old value any more.
func (f *finding) replaced(end *hit) bool {
	if end.Mode != atomicity.Read || end.via != nil || f.entry.via != nil {
		return false
	}
	holds := func(list []assignment, e ast.Expr) bool {
		return slices.ContainsFunc(list, func(d assignment) bool { return ast.Unparen(d.value) == ast.Unparen(e) })
	}
	for _, list := range f.values.assigns { // of v, ok = m[k] each has the expression
		if holds(list, f.entry.Expr) && holds(list, end.Expr) {
			return true
		}
	}
	return false
}
