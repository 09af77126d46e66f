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

// Whether there is anything at all is another question than whether there is too much:
//
//	if c.Len() > c.most { c.mu.Lock(); c.evict(); c.mu.Unlock() }
//	func (c *Cache) evict() { if len(c.entries) == 0 { return }; delete(c.entries, c.oldest()) }
//
// Two that have both found one too many take away two. A look of that kind, in the function or in
// what it calls, is no second look at what the first one has found.

// asksBound says whether some condition of the body compares what e has read with a bound that
// is not zero.
func (s *search) asksBound(e *occurrence) bool {
	if e.Kind == access.MapElement && e.key != allKeys {
		return false
	}
	return slices.ContainsFunc(s.bounds(), func(part ast.Expr) bool { return s.values.of(part)[e.Access] })
}

// bounds are the comparisons with something that is not zero that the conditions of the body are
// made of, or what locals stand for there.
func (s *search) bounds() []ast.Expr {
	if s.bounded != nil {
		return *s.bounded
	}
	list := []ast.Expr{}
	for _, conds := range s.body.Conds {
		for _, cond := range partsOfConds(conds, token.LAND, token.LOR) {
			parts := []ast.Expr{cond}
			if id, ok := ast.Unparen(cond).(*ast.Ident); ok {
				if set := s.values.assigns[s.pkg.Info.ObjectOf(id)]; len(set) == 1 {
					parts = partsOfConds([]ast.Expr{set[0].value}, token.LAND, token.LOR)
				}
			}
			for _, part := range parts {
				if b, ok := ast.Unparen(part).(*ast.BinaryExpr); ok && isOrdering(b.Op) && !s.isZero(b.X) && !s.isZero(b.Y) {
					list = append(list, part)
				}
			}
		}
	}
	s.bounded = &list
	return list
}

func isOrdering(op token.Token) bool {
	return op == token.LSS || op == token.LEQ || op == token.GTR || op == token.GEQ
}

// asksWhetherAny says whether the condition compares something with zero or nil.
func (s *search) asksWhetherAny(cond ast.Expr) bool {
	b, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	return ok && (isOrdering(b.Op) || b.Op == token.EQL || b.Op == token.NEQ) && (s.isZero(b.X) || s.isZero(b.Y))
}

// unlessEmpty are what the function takes away from maps and lists unless there is nothing, and
// whatever else: writes that effects leaves out, for the function looks first.
func (s *search) unlessEmpty(fn *types.Func) []effect {
	if known, ok := s.taking[fn]; ok {
		return known
	}
	if s.taking == nil {
		s.taking = map[*types.Func][]effect{}
	}
	s.taking[fn] = nil // recursion adds nothing
	b := s.pkg.ByFunc[fn]
	if b == nil || len(b.CFG.Blocks) > maxBlocks {
		return nil
	}
	st := s.stateOf(b)
	nothingElse := false
	s.inState(b, func() { nothingElse = s.asksNothingElse(b) })
	if !nothingElse {
		return nil
	}
	for _, o := range st.order {
		if o.Mode == atomicity.Write && o.via == nil && (o.Method == "delete" || s.cutsItself(o.Access)) && nameable(fn.Signature(), o.place) && st.testedBefore(o) && !s.askedAside(st, o) {
			s.taking[fn] = append(s.taking[fn], effect{occurrence: o})
		}
	}
	return s.taking[fn]
}

// asksNothingElse says whether all conditions of the body ask whether there is anything.
func (s *search) asksNothingElse(b *accesses.Body) bool {
	for _, conds := range b.Conds {
		if slices.ContainsFunc(partsOfConds(conds, token.LAND, token.LOR), func(cond ast.Expr) bool { return !s.asksWhetherAny(cond) }) {
			return false
		}
	}
	return true
}

// cutsItself says whether the write is x = x[i:] or x = x[:i].
func (s *search) cutsItself(w *access.Access) bool {
	values := stored(w)
	if len(values) != 1 {
		return false
	}
	cut, ok := ast.Unparen(values[0]).(*ast.SliceExpr)
	return ok && types.ExprString(cut.X) == types.ExprString(w.Expr)
}
