package section

import (
	"go/ast"
	"go/token"
	"slices"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// testedBefore says whether a condition of the body depends on the instance
// that o writes: the function looks for itself before it acts.
func (st *bodyState) testedBefore(o *occurrence) bool {
	for _, conds := range st.body.Conds {
		for _, c := range partsOfConds(conds, token.LAND, token.LOR) {
			if st.asksForChange(c, o) || st.endsOld(c, o) {
				continue
			}
			for a, plain := range st.values.of(c) {
				if r := st.occ[a]; plain && r != nil && r.Var == o.Var && r.place == o.place {
					return true
				}
			}
			if (o.Kind == access.MapElement || o.Kind == access.Cell) && st.comparesEntry(c, o) {
				return true
			}
		}
	}
	return false
}

// askedAside says whether the body looks at the instance that o writes for something else alone, in
// an earlier critical section or none, and comes to o however that turns out:
//
//	if len(b.entries) > 0 { last = b.Last() }
//	b.mu.Lock(); b.entries = append(b.entries, next(last))
func (s *search) askedAside(st *bodyState, o *occurrence) bool {
	if o.via != nil || !o.held.Excludes() {
		return false
	}
	aside := true
	s.inState(st.body, func() {
		for block, conds := range st.body.Conds {
			for _, c := range conds {
				if st.comparesEntry(c, o) {
					aside = false
				}
				for a := range st.values.of(c) {
					if r := st.occ[a]; r != nil && r.Var == o.Var && r.place == o.place {
						decides, _ := s.decides(block, o.block)
						aside = aside && !decides && s.leadsTo(r, o) && !s.oneHold(r, o)
					}
				}
			}
		}
	})
	return aside
}

// comparesEntry says whether the condition looks at a field of the very entry of a map
// that o writes, or of the struct, in place or in a copy: m[k].version != seen.
func (st *bodyState) comparesEntry(cond ast.Expr, o *occurrence) bool {
	found := false
	ast.Inspect(cond, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			for _, a := range st.values.reads[ast.Unparen(sel.X)] {
				if r := st.occ[a]; r != nil && r.sameInstance(o) {
					found = true
				}
			}
			for a, plain := range st.values.of(st.values.copyWith(sel)) {
				r := st.occ[a]
				found = found || plain && r != nil && r.Mode == atomicity.Read && r.sameInstance(o)
			}
		}
		return !found
	})
	return found
}

// partsOfConds are the parts of the conditions that the operators put together.
func partsOfConds(conds []ast.Expr, by ...token.Token) []ast.Expr {
	var list []ast.Expr
	for _, c := range conds {
		c = ast.Unparen(c)
		if b, ok := c.(*ast.BinaryExpr); ok && slices.Contains(by, b.Op) {
			list = append(list, partsOfConds([]ast.Expr{b.X, b.Y}, by...)...)
		} else {
			list = append(list, c)
		}
	}
	return list
}
