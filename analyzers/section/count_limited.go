package section

import (
	"go/ast"
	"go/token"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// limited says whether the end raises an atomic count that was found to be below a limit,
// where others lower it: what else is asked before it is raised does not keep two from going
// beyond the limit.
//
//	if n.Load() >= max { return busy }; if !valid(x) { return }; n.Add(1); defer n.Add(-1)
//
// So it is with what is left of a budget, which nobody adds to: both spend the last of it.
//
//	if left.Load() > 0 { if wanted(x) { show(x); left.Add(-1) } }
func (f *finding) limited(end *hit) bool {
	if end.Kind != access.Atomic || end.Mode != atomicity.Write {
		return false
	}
	switch by := f.difference(end.occurrence); {
	case by < 0:
		return f.spends(end)
	case by == 0:
		return false
	}
	below := false
	for _, test := range f.trail.tests {
		ok, edge := f.decides(test, end.block)
		below = below || ok && len(f.body.Conds[test]) == 1 && f.asksForLess(f.body.Conds[test][0], edge == 0)
	}
	return below && f.isLowered(end)
}

// asksForLess says whether the condition, or what it calls, being as told means that what the
// entry has read is less than something.
func (f *finding) asksForLess(cond ast.Expr, holds bool) bool {
	e, not := asked(cond)
	holds = holds != not
	if call, ok := e.(*ast.CallExpr); ok && call == f.entry.via {
		b := f.pkg.ByFunc[f.locks.Callee(call)]
		if b == nil || len(b.Block.List) != 1 {
			return false
		}
		ret, ok := b.Block.List[0].(*ast.ReturnStmt)
		if !ok || len(ret.Results) != 1 {
			return false
		}
		e, not = asked(ret.Results[0])
		return isLess(e, holds != not, func(x ast.Expr) bool { return x.Pos() <= f.entry.at && f.entry.at < x.End() })
	}
	return isLess(e, holds, func(x ast.Expr) bool { return f.values.of(x)[f.entry.Access] }) && !f.comparesCounts(e)
}

// comparesCounts says whether the condition reads the count of another object as well: it finds
// out who has less to do, and is no limit.
func (f *finding) comparesCounts(cond ast.Expr) bool {
	for a := range f.values.of(cond) {
		if a != f.entry.Access && a.Var == f.entry.Var {
			return true
		}
	}
	return false
}

// isLess says whether the comparison, as it comes out, tells that the one of its operands which
// is the value is less than the other.
func isLess(e ast.Expr, holds bool, isValue func(ast.Expr) bool) bool {
	b, ok := e.(*ast.BinaryExpr)
	if !ok {
		return false
	}
	first, second := isValue(b.X), isValue(b.Y)
	switch b.Op {
	case token.LSS, token.LEQ:
		return holds && first && !second || !holds && second && !first
	case token.GTR, token.GEQ:
		return holds && second && !first || !holds && first && !second
	}
	return false
}

// spends says whether the end lowers a count that was found to be above zero, which is set and lowered,
// and raised by nobody.
func (f *finding) spends(end *hit) bool {
	above := false
	for _, test := range f.trail.tests {
		ok, edge := f.decides(test, end.block)
		if !ok || len(f.body.Conds[test]) != 1 {
			continue
		}
		e, not := asked(f.body.Conds[test][0])
		isValue := func(x ast.Expr) bool { return f.values.of(x)[f.entry.Access] }
		if b, isComparison := e.(*ast.BinaryExpr); isComparison && (f.isZero(b.X) || f.isZero(b.Y)) {
			above = above || isLess(e, (edge == 0) == not, isValue)
		}
	}
	return above && !f.isRaised(end)
}

// isRaised says whether some function adds to the count, or may.
func (f *finding) isRaised(end *hit) bool {
	current := f.bodyState
	defer func() { f.bodyState = current }()
	for _, b := range f.pkg.Bodies {
		f.bodyState = f.states[b]
		for _, w := range f.order {
			if w.Var == end.Var && w.Mode == atomicity.Write && (w.Update != nil || adds(w.source())) && f.difference(w) >= 0 {
				return true
			}
		}
	}
	return false
}

// isLowered says whether some function takes from the count which the end raises.
func (f *finding) isLowered(end *hit) bool {
	current := f.bodyState
	defer func() { f.bodyState = current }()
	for _, b := range f.pkg.Bodies {
		f.bodyState = f.states[b]
		for _, w := range f.order {
			if w.Var == end.Var && w.Mode == atomicity.Write && f.difference(w) < 0 {
				return true
			}
		}
	}
	return false
}
