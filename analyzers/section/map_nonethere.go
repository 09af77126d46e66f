package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// noneThere is [search.noneOfThose] where the function itself walks through the map or list, and returns
// if it meets what it was given, or what is equal to a part of that:
//
//	r.mu.RLock()
//	for id, c := range r.conns { if c == conn { r.mu.RUnlock(); return id } }
//	r.mu.RUnlock()
//	id := newID()
//	r.mu.Lock(); r.conns[id] = conn; r.mu.Unlock()
//
// Two can meet none, and both put one there. Who looks through it again under the later lock does right.
func (s *search) noneThere() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || s.readies() || s.body.Func == nil || s.shared.Single(s.body) {
		return
	}
	for _, look := range s.order {
		if look.via != nil || look.Mode != atomicity.Read || look.place.Root == nil || !look.Var.Obj.IsField() || !look.held.Any() || s.reachOf(look) < shared.Meant {
			continue
		}
		given, loop := s.walkForOne(look)
		if given == nil {
			continue
		}
		for _, w := range s.order {
			if w.via != nil || w.later || w.Mode != atomicity.Write || w.Var.Obj != look.Var.Obj || w.place.Root != look.place.Root || w.Method == "delete" || w.Pos() < loop.End() || !w.held.Excludes() ||
				!s.isGrowth(w) || s.oneHold(look, w) || w.Kind == access.MapElement && s.mentions(w.Key, given) || s.walksAgain(loop, w) {
				continue
			}
			if !slices.ContainsFunc(stored(w.Access), func(v ast.Expr) bool { return s.mentions(v, given) }) {
				continue
			}
			if _, strong, _ := s.shared.Rivals(s.body, w.Var); !strong {
				continue
			}
			c := s.direct("testuse", "unlock-relock", look.Access, look.Pos(), w.Pos())
			c.Roles = [2]string{"looked through", "added to"}
			c.Message = fmt.Sprintf("two goroutines can both meet no such one in %s and both put one there: %s is released in between", look.place, anyOf(look.held))
			s.tell(c, w, w.Access)
			return
		}
	}
}

// walkForOne is the parameter which the loop over what is read compares with what it meets, to return
// at once if they are equal, and the loop.
func (s *search) walkForOne(look *occurrence) (given *types.Var, loop *ast.RangeStmt) {
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		r, ok := n.(*ast.RangeStmt)
		if !ok || ast.Unparen(r.X) != ast.Unparen(look.Expr) || len(r.Body.List) != 1 {
			return given == nil
		}
		test, ok := r.Body.List[0].(*ast.IfStmt)
		if !ok || test.Else != nil || len(test.Body.List) == 0 {
			return true
		}
		if _, leaves := test.Body.List[len(test.Body.List)-1].(*ast.ReturnStmt); !leaves {
			return true
		}
		x, ok := ast.Unparen(test.Cond).(*ast.BinaryExpr)
		if !ok || x.Op != token.EQL {
			return true
		}
		for _, side := range []ast.Expr{x.X, x.Y} {
			id, ok := baseOf(side).(*ast.Ident)
			for p := range s.body.Func.Signature().Params().Variables() {
				if ok && s.pkg.Info.ObjectOf(id) == types.Object(p) {
					given, loop = p, r
				}
			}
		}
		return true
	})
	return given, loop
}

// walksAgain says whether the body walks through the variable again between the loop and w, tests
// what is in it, or calls something with a lock held that may do so.
func (s *search) walksAgain(loop *ast.RangeStmt, w *occurrence) bool {
	if slices.ContainsFunc(s.order, func(o *occurrence) bool {
		return o.Mode == atomicity.Read && o.Var.Obj == w.Var.Obj && o.Pos() > loop.End() && len(s.testsOf(o.Access, false)) > 0
	}) {
		return true
	}
	found := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.RangeStmt:
			found = found || n.Pos() > loop.End() && s.variable(n.X) == w.Var.Obj
		case *ast.CallExpr:
			fn := s.locks.Callee(n)
			found = found || n.Pos() > loop.End() && n.Pos() < w.Pos() && fn != nil && s.pkg.ByFunc[fn] != nil && s.heldAtCall(n).Any()
		}
		return !found
	})
	return found
}
