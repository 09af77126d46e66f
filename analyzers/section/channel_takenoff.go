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

// takesOff says whether the body takes the very object off the map or slice m: one that it is
// given, or that the function around it has put there.
//
//	delete(h.clients, c); close(c.send)
//	for i, x := range h.list { if x == c { h.list = slices.Delete(h.list, i, i+1) } }; close(c.send)
func (s *search) takesOff(m access.Var, object types.Object) bool {
	if v, ok := object.(*types.Var); !ok || v.IsField() || isPackageLevel(v) || !slices.ContainsFunc(s.order, func(w *occurrence) bool {
		return w.Mode == atomicity.Write && w.Var.Obj == m.Obj && w.via == nil && w.held.Any()
	}) {
		return false
	}
	is := func(e ast.Expr) bool {
		id, ok := ast.Unparen(e).(*ast.Ident)
		return ok && s.pkg.Info.ObjectOf(id) == object
	}
	found := s.body.Outermost() != s.body && s.putBy(s.body.Outermost(), m, is)
	var within []ast.Expr // what a literal is called for the elements of
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			found = found || s.isBuiltin(n, "delete") && is(n.Args[1]) && s.partOfIt(n.Args[0], m)
			if len(n.Args) > 1 && s.partOfIt(n.Args[0], m) {
				for _, arg := range n.Args[1:] {
					found = found || is(arg) && !s.isBuiltin(n, "append")
					if lit, ok := arg.(*ast.FuncLit); ok {
						within = append(within, lit)
					}
				}
			}
		case *ast.BinaryExpr:
			for _, pair := range [2][2]ast.Expr{{n.X, n.Y}, {n.Y, n.X}} {
				if (n.Op == token.EQL || n.Op == token.NEQ) && is(pair[0]) {
					found = found || s.elementIn(pair[1], m) || slices.ContainsFunc(within, func(lit ast.Expr) bool { return lit.Pos() <= n.Pos() && n.End() <= lit.End() })
				}
			}
		}
		return !found
	})
	return found
}

// putBy says whether the body puts the object into m.
func (s *search) putBy(b *accesses.Body, m access.Var, is func(ast.Expr) bool) bool {
	found := false
	ast.Inspect(b.Block, func(n ast.Node) bool {
		as, ok := n.(*ast.AssignStmt)
		if !ok || len(as.Lhs) != 1 || len(as.Rhs) != 1 || !s.partOfIt(as.Lhs[0], m) {
			return !found
		}
		call, ok := ast.Unparen(as.Rhs[0]).(*ast.CallExpr)
		found = found || is(as.Rhs[0]) || ok && s.isBuiltin(call, "append") && slices.ContainsFunc(call.Args[1:], is)
		return !found
	})
	return found
}

func (s *search) isBuiltin(call *ast.CallExpr, name string) bool {
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok {
		return false
	}
	b, ok := s.pkg.Info.Uses[id].(*types.Builtin)
	return ok && b.Name() == name
}

// partOfIt says whether e is m itself, a map or slice in it, or a local that was read from it.
func (s *search) partOfIt(e ast.Expr, m access.Var) bool {
	for {
		x, ok := ast.Unparen(e).(*ast.IndexExpr)
		if !ok {
			break
		}
		e = x.X
	}
	if v := s.variable(e); v != nil && v == m.Obj {
		return true
	}
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && slices.ContainsFunc(s.values.assigns[s.pkg.Info.ObjectOf(id)], func(d assignment) bool {
		x, ok := ast.Unparen(d.value).(*ast.IndexExpr)
		return d.plain && (s.variable(d.value) == m.Obj || ok && s.variable(x.X) == m.Obj)
	})
}

// elementIn says whether e is an element of m, by its index or by a walk.
func (s *search) elementIn(e ast.Expr, m access.Var) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.IndexExpr:
		return s.partOfIt(e.X, m)
	case *ast.Ident:
		return slices.ContainsFunc(s.values.assigns[s.pkg.Info.ObjectOf(e)], func(d assignment) bool { return !d.plain && s.partOfIt(d.value, m) })
	}
	return false
}

// takenOff is the map or slice off which the body takes the object e, or nil.
func (s *search) takenOff(e ast.Expr) *access.Var {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return nil
	}
	for _, w := range s.order {
		if w.Mode == atomicity.Write && w.via == nil && w.held.Any() && w.Var.Obj != nil && holds(w.Var.Obj.Type(), s.pkg.Info.TypeOf(id)) && s.takesOff(w.Var, s.pkg.Info.ObjectOf(id)) {
			return &w.Var
		}
	}
	return nil
}

// holds says whether a map or slice of type t, or one of those in it, has elements of the type.
func holds(t, element types.Type) bool {
	return element != nil && (types.Identical(elementOf(t), element) || types.Identical(elementOf(elementOf(t)), element))
}
