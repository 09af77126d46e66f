package section

import (
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
)

// nothingToEnd says whether what is added is an object that the body has just made without the
// parts of it that b ends when it walks through the list: for _, e := range x.list { if
// e.timer != nil { e.timer.Stop() } }, where the new object has no timer yet.
func (s *search) nothingToEnd(reg *occurrence, b *accesses.Body, list *types.Var) bool {
	parts, all := s.partsEnded(b, list)
	values := reg.stores
	if reg.via == nil {
		values = stored(reg.Access)
	}
	if !all || len(parts) == 0 || len(values) != 1 {
		return false
	}
	id, ok := ast.Unparen(values[0]).(*ast.Ident)
	if !ok {
		return false
	}
	v := s.pkg.Info.ObjectOf(id)
	made := s.values.assigns[v]
	if len(made) != 1 || !s.isMade(made[0].value) {
		return false
	}
	has := false
	ast.Inspect(made[0].value, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.KeyValueExpr:
			if key, ok := n.Key.(*ast.Ident); ok {
				has = has || parts[s.pkg.Info.ObjectOf(key)]
			}
		case *ast.CompositeLit:
			for _, e := range n.Elts {
				if _, named := e.(*ast.KeyValueExpr); !named {
					has = true // in their order: it may have all
				}
			}
		}
		return !has
	})
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		if assign, ok := n.(*ast.AssignStmt); ok {
			for _, l := range assign.Lhs {
				sel, ok := ast.Unparen(l).(*ast.SelectorExpr)
				has = has || ok && parts[s.pkg.Info.ObjectOf(sel.Sel)] && s.pkg.PlaceOf(sel.X).Root == v
			}
		}
		return !has
	})
	return !has
}

// partsEnded are the fields of the elements whose methods the loops of b over the list call,
// or which they send on or close; all says that they do nothing else to the elements.
func (s *search) partsEnded(b *accesses.Body, list *types.Var) (parts map[types.Object]bool, all bool) {
	parts, all = map[types.Object]bool{}, true
	ast.Inspect(b.Block, func(n ast.Node) bool {
		loop, ok := n.(*ast.RangeStmt)
		if !ok || !s.mentions(loop.X, list) {
			return true
		}
		each := s.valueOfEach(loop)
		if each == nil {
			all = false
			return true
		}
		ast.Inspect(loop.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr)
				if !ok || !s.mentions(sel.X, each) {
					all = all && !s.givesAway(n, each)
					return true
				}
				part, ok := ast.Unparen(sel.X).(*ast.SelectorExpr)
				if !ok {
					all = false
					return true
				}
				if id, ok := ast.Unparen(part.X).(*ast.Ident); ok && s.pkg.Info.ObjectOf(id) == each {
					parts[s.pkg.Info.ObjectOf(part.Sel)] = true
				} else {
					all = false
				}
			case *ast.SendStmt:
				all = all && !s.mentions(n.Chan, each)
			case *ast.GoStmt:
				all = false
			}
			return true
		})
		return true
	})
	return parts, all
}

// valueOfEach is the variable that holds the element in the body of the loop, or nil.
func (s *search) valueOfEach(loop *ast.RangeStmt) types.Object {
	id, ok := loop.Value.(*ast.Ident)
	if !ok {
		return nil
	}
	return s.pkg.Info.ObjectOf(id)
}

// givesAway says whether the call hands the element, or a part of it, to what it calls.
func (s *search) givesAway(call *ast.CallExpr, each types.Object) bool {
	for _, a := range call.Args {
		if s.mentions(a, each) {
			return true
		}
	}
	return false
}

// deletes says whether the expression is a call of delete: it takes something out of a map and
// ends nothing.
func (s *search) deletes(e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return false
	}
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok {
		return false
	}
	b, ok := s.pkg.Info.Uses[id].(*types.Builtin)
	return ok && b.Name() == "delete"
}
