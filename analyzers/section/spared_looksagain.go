package section

import (
	"go/ast"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// looksAgain says whether the access is one that looks again, and not an act that the test of the
// entry leads to: a fresh test, the rest of the condition after one, as the second read in
// c.p == nil || stale(c.p), or what comes after a test that looks anew.
func (f *finding) looksAgain(h *hit) bool {
	return h.relooked || f.trail.fresh[h.Access] || f.trail.anew[h.Access] || h.Mode == atomicity.Read &&
		slices.ContainsFunc(f.trail.hits, func(g *hit) bool {
			return f.trail.fresh[g.Access] && g.block == h.block && g.index < h.index && slices.ContainsFunc(f.body.Conds[h.block], func(cond ast.Expr) bool {
				return !f.before(h, cond) && f.pkg.Order(h.Pos()) < f.pkg.Order(cond.End())
			})
		})
}

// looksAnew says whether the branch at the end of the block asks a call about a read of the same
// instance that came after the entry, as in if stale(c.p) { c.p = load() }, and decides about a
// write in the same hold of a lock: what the entry has read matters no more. A branch that
// decides about no write may be about something else, and so may what a call has returned
// beside other results, such as an error.
func (s *search) looksAnew(block int, e *occurrence, after map[*access.Access]*hit, anew map[*access.Access]bool) bool {
	found := false
	for _, cond := range s.body.Conds[block] {
		for a := range s.asked(cond) {
			r := after[a]
			if r == nil || r.Mode != atomicity.Read || r.key != e.key || r.later || !slices.ContainsFunc(s.order, func(w *occurrence) bool {
				return w.Mode == atomicity.Write && !w.later && w.sameInstance(r.occurrence) && s.decided([]int{block}, w.block) && s.keptUntil(r.occurrence, w)
			}) {
				continue
			}
			found, anew[a] = true, true
		}
	}
	return found
}

// asked are the reads whose values the calls in the condition are given as they are.
func (s *search) asked(cond ast.Expr) sources {
	list := sources{}
	take := func(e ast.Expr) {
		for a, plain := range s.values.of(e) {
			if plain {
				list.add(a, true)
			}
		}
	}
	ast.Inspect(cond, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			for _, arg := range n.Args {
				take(arg)
			}
			if sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok {
				take(sel.X)
			}
		}
		return true
	})
	return list
}

// keptUntil says whether a lock that keeps others out is held without interruption from the one
// access to the other.
func (s *search) keptUntil(from, to *occurrence) bool {
	kept := false
	s.onward(from, func(block, index int, _ accesses.Event, held locks.Set) bool {
		if block != to.block || index != to.index {
			return false
		}
		kept = kept || protects(held, true)
		return true
	})
	return kept
}

// lookedAgain are the reads on the way from the entry to the ends that look again: a test that
// decides about the ends is of what they have read, too, as in for v == nil { v = x.p.Load() }, or
// a test further on makes that of the entry irrelevant. What others have done until then breaks
// nothing.
func (f *finding) lookedAgain(from *occurrence, ends []*hit) []atomicity.End {
	var list []atomicity.End
	for _, h := range f.trail.hits {
		if h.Mode != atomicity.Read || h.occurrence == from || h.key != f.entry.key || !f.testedToo(h) && !f.trail.fresh[h.Access] && !f.trail.anew[h.Access] || slices.ContainsFunc(ends, func(e *hit) bool { return e.Access == h.Access }) ||
			!slices.ContainsFunc(ends, func(e *hit) bool { return f.leadsTo(h.occurrence, e.occurrence) }) {
			continue
		}
		if again := f.own(h.occurrence); again != nil && again.Func == f.own(from).Func {
			list = append(list, atomicity.End{Location: f.pkg.Location(again), Allow: atomicity.ReadWrite})
		}
	}
	return list
}

// testedToo says whether a test of what the entry has read is, in a later turn of a loop, one of what
// h has read.
func (f *finding) testedToo(h *hit) bool {
	return slices.ContainsFunc(f.trail.tests, func(test int) bool {
		return slices.ContainsFunc(f.body.Conds[test], func(cond ast.Expr) bool {
			return f.values.of(cond)[h.Access] || f.values.carried(cond)[h.Access]
		})
	})
}
