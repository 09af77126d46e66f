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

// entryVanishes says whether the end reads again, under a later hold of the lock, the entry of
// a map that the test has found there, and panics if another function has deleted it
// meanwhile.
func (f *finding) entryVanishes(end *hit) bool {
	return f.entry.Kind == access.MapElement && f.entry.held.Any() && end.Kind == access.MapElement && end.Mode == atomicity.Read && end.via == nil &&
		f.panicsWithout(end.occurrence) && f.deletedBy(end.occurrence)
}

// panicsWithout says whether the function panics where the read finds no entry: it
// selects a field of it, stores into it, or calls it, without a look.
func (s *search) panicsWithout(o *occurrence) bool {
	switch s.elem(o).(type) {
	case *types.Pointer, *types.Interface, *types.Signature, *types.Map:
	default:
		return false
	}
	fatal := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			fatal = fatal || ast.Unparen(n.X) == o.Expr
		case *ast.StarExpr:
			fatal = fatal || ast.Unparen(n.X) == o.Expr
		case *ast.CallExpr:
			fatal = fatal || ast.Unparen(n.Fun) == o.Expr
		case *ast.IncDecStmt:
			fatal = fatal || isElementOf(n.X, o.Expr)
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				fatal = fatal || isElementOf(l, o.Expr)
			}
			if len(n.Lhs) == 1 && len(n.Rhs) == 1 && ast.Unparen(n.Rhs[0]) == o.Expr && n.Tok == token.DEFINE {
				fatal = fatal || s.usedUnseen(n.Lhs[0])
			}
		}
		return !fatal
	})
	return fatal
}

// elem is the underlying type of what the read finds.
func (s *search) elem(o *occurrence) types.Type {
	t := s.pkg.Info.TypeOf(o.Expr)
	if tuple, ok := t.(*types.Tuple); ok && tuple.Len() == 2 {
		t = tuple.At(0).Type()
	}
	if t == nil {
		return nil
	}
	return t.Underlying()
}

// isElementOf says whether e is an element of the map of that expression.
func isElementOf(e, m ast.Expr) bool {
	x, ok := ast.Unparen(e).(*ast.IndexExpr)
	return ok && ast.Unparen(x.X) == m
}

// usedUnseen says whether the body uses what the local refers to and never compares the
// local with anything.
func (s *search) usedUnseen(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	obj := s.pkg.Info.ObjectOf(id)
	if !ok || obj == nil || len(s.values.assigns[obj]) != 1 {
		return false
	}
	used, seen := false, false
	is := func(e ast.Expr) bool {
		id, ok := ast.Unparen(e).(*ast.Ident)
		return ok && s.pkg.Info.ObjectOf(id) == obj
	}
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			seen = seen || is(n.X) || is(n.Y)
		case *ast.SelectorExpr:
			if sel := s.pkg.Info.Selections[n]; sel != nil && is(n.X) {
				used = used || sel.Kind() == types.FieldVal || types.IsInterface(sel.Recv())
			}
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				if x, ok := ast.Unparen(l).(*ast.IndexExpr); ok {
					used = used || is(x.X)
				}
			}
		}
		return !seen
	})
	return used && !seen
}

// deletedBy says whether a function that this one does not call deletes entries of the
// map, of objects that others have, under a lock that is held at o.
func (s *search) deletedBy(o *occurrence) bool {
	for _, b := range s.pkg.Bodies {
		if b.Outermost() == s.body.Outermost() || s.shared.Constructing(b) || s.invokes(b.Func) {
			continue
		}
		if slices.ContainsFunc(s.states[b].order, func(gone *occurrence) bool {
			return gone.Var == o.Var && gone.Mode == atomicity.Write && gone.Method == "delete" && gone.via == nil && gone.held.Any() &&
				slices.ContainsFunc(o.held.Places(), func(l accesses.Place) bool { return gone.lockOf(locks.ClassOf(l)).Valid() })
		}) {
			return true
		}
	}
	return false
}

// invokes says whether the function calls fn somewhere, in whatever way.
func (s *search) invokes(fn *types.Func) bool {
	found := false
	ast.Inspect(s.body.Outermost().Block, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		found = found || ok && fn != nil && s.locks.Callee(call) == fn
		return !found
	})
	return found
}
