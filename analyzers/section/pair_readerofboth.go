package section

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// readerOfBoth is another function that reads in one critical section both variables that e and
// o set in two, and relies on it that they belong together; or nil. That they do is shown by a
// third function, which sets both in one, or by the reader, to which the one tells where to find
// something in the other:
//
//	t.mu.Lock(); t.value = v; t.mu.Unlock()
//	t.mu.Lock(); t.expires = at; t.mu.Unlock()            // Revoke: both, in one
//	if time.Now().Before(t.expires) { return t.value }    // in one, too
//
// Whoever sets one of them alone shows the contrary, and so does a body that sets the second one
// on some ways only.
func (s *search) readerOfBoth(e, o *occurrence) *accesses.Body {
	c := s.couplings()[couple{e.Var, o.Var}]
	if s.handledIn(e, o, atomicity.ReadWrite) || !s.alwaysBoth(e, o) || !s.setOnlyHere(e, o) {
		return nil
	}
	besides := c != nil && c.writtenBeside(s.body)
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, b := range s.pkg.Bodies {
		if b.Outermost() == current.body.Outermost() || !s.accessors(e.Var.Obj)[b] || !s.accessors(o.Var.Obj)[b] || s.shared.Constructing(b) {
			continue
		}
		s.bodyState = s.states[b]
		relies := besides && !s.tellsPeople()
		for _, set := range s.holdsOf(b) {
			x, y := readsIn(set, e.Var), readsIn(set, o.Var)
			if s.findsIn(x, y) || s.findsIn(y, x) || relies && (s.decidesUse(x, y) || s.decidesUse(y, x) || s.storesInto(x, o.Var) || s.storesInto(y, e.Var)) {
				return b
			}
		}
	}
	return nil
}

// readsIn are the reads of the variable, or of what it contains, in the critical section.
func readsIn(set fieldSet, v access.Var) []*occurrence {
	var list []*occurrence
	for _, contents := range []bool{false, true} {
		for _, o := range set[access.Var{Obj: v.Obj, Contents: contents}] {
			if o.Mode == atomicity.Read && o.via == nil {
				list = append(list, o)
			}
		}
	}
	return list
}

// findsIn says whether what one of the first has read is the index of an element of the slice
// that the others read, with no look at the length of that.
func (s *search) findsIn(from, in []*occurrence) bool {
	if len(from) == 0 || len(in) == 0 || !isSlice(in[0].Var.Obj.Type()) || s.asksLengthOf(in[0].Var.Obj) {
		return false
	}
	found := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		x, ok := n.(*ast.IndexExpr)
		if !ok || !slices.ContainsFunc(in, func(o *occurrence) bool {
			return x.Pos() <= o.Pos() && o.Pos() < x.Index.Pos() && s.variable(x.X) == o.Var.Obj
		}) {
			return !found
		}
		index := s.values.of(x.Index)
		found = found || slices.ContainsFunc(from, func(r *occurrence) bool { return keysFrom(index, r) })
		return !found
	})
	return found
}

// asksLengthOf says whether the body asks for the length of the slice.
func (s *search) asksLengthOf(v *types.Var) bool {
	found := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && len(call.Args) == 1 {
			if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok && id.Name == "len" && s.variable(call.Args[0]) == v {
				found = true
			}
		}
		return !found
	})
	return found
}

// decidesUse says whether a test of what one of the first has read decides whether what the
// others read is returned, or handed to a call. One that is tested itself is looked at afresh.
func (s *search) decidesUse(test, used []*occurrence) bool {
	for _, u := range used {
		if len(s.testsOf(u.Access, true)) > 0 {
			return false
		}
	}
	return slices.ContainsFunc(used, func(u *occurrence) bool {
		return s.leaves(u) && slices.ContainsFunc(test, func(t *occurrence) bool {
			return s.decided(s.testsOf(t.Access, false), u.block)
		})
	})
}

// leaves says whether the value read is a result of the function, or an argument of a call that
// tells nobody about it.
func (s *search) leaves(u *occurrence) bool {
	found := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			found = found || slices.ContainsFunc(n.Results, func(r ast.Expr) bool { return keysFrom(s.values.of(r), u) })
		case *ast.CallExpr:
			if s.pkg.Info.Types[n.Fun].IsType() || reporting.MatchString(types.ExprString(n.Fun)) {
				return true
			}
			found = found || slices.ContainsFunc(n.Args, func(r ast.Expr) bool { return keysFrom(s.values.of(r), u) })
		}
		return !found
	})
	return found
}

// storesInto says whether what one of them has read is stored in the other variable in the same
// critical section.
func (s *search) storesInto(reads []*occurrence, to access.Var) bool {
	return slices.ContainsFunc(s.order, func(w *occurrence) bool {
		return w.Var == to && w.Mode == atomicity.Write && w.via == nil && slices.ContainsFunc(reads, func(r *occurrence) bool {
			return s.oneHold(r, w) && slices.ContainsFunc(stored(w.Access), func(v ast.Expr) bool { return keysFrom(s.values.of(v), r) })
		})
	})
}
