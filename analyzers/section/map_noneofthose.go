package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// noneOfThose finds entries that are put into a map, under its lock, after a call has found, in an
// earlier critical section, that none of those which are there is of a certain kind: two can find
// none, and both put one there.
//
//	if s.busyOn(port) { return errBusy } // for _, j := range s.jobs { if j.port == port { return true } }
//	s.add(id, newJob(port))              // s.jobs[id] = j
func (s *search) noneOfThose() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || s.readies() || !s.shared.Entered(s.body) && !s.shared.Launched(s.body) {
		return
	}
	for test, conds := range s.body.Conds {
		if len(conds) != 1 {
			continue
		}
		e, not := asked(conds[0])
		call, ok := e.(*ast.CallExpr)
		if !ok {
			continue
		}
		finder := s.pkg.ByFunc[s.locks.Callee(call)]
		look := s.looksForOne(finder)
		if look == nil || !look.held.Any() || s.heldAtCall(call).Any() {
			continue
		}
		place := s.locks.ToCaller(call, finder.Func, look.place)
		for _, w := range s.order {
			if w.Mode != atomicity.Write || w.Kind != access.MapElement || w.Method == "delete" || w.Var.Obj != look.Var.Obj || w.place.Root == nil || w.place.Root != place.Root || w.lit || w.later || w.depth > 1 ||
				!w.held.Excludes() || w.outer.Any() && w.via != nil || s.reachOf(w) < shared.Meant || s.looksUnder(w, finder) {
				continue
			}
			// Where it is true, the way must not lead to the write.
			if ok, edge := s.decides(test, w.block); !ok || not != (edge == 0) {
				continue
			}
			if _, strong, _ := s.shared.Rivals(s.body, w.Var); !strong {
				continue
			}
			c := s.direct("testuse", "unlock-relock", look.Access, call.Pos(), w.Pos())
			c.Via, c.EndVia = call, w.via
			c.Within = look.Pos()
			c.Roles = [2]string{"looked through", "added to"}
			c.Message = fmt.Sprintf("two goroutines can both find none in %s (in %s) and both put one there: %s is released in between", place, types.ExprString(call.Fun), anyOf(look.held))
			s.tell(c, w, w.source())
			return
		}
	}
}

// looksForOne is the read by which the function does nothing but walk through a map or slice of its
// object, and say whether there is one that a comparison with a parameter is true of; or nil.
func (s *search) looksForOne(b *accesses.Body) *occurrence {
	if b == nil || b.Func == nil || b.Func.Signature().Recv() == nil || b.Func.Signature().Results().Len() != 1 || !types.Identical(b.Func.Signature().Results().At(0).Type(), types.Typ[types.Bool]) || b.Func.Signature().Params().Len() == 0 {
		return nil
	}
	st := s.stateOf(b)
	if slices.ContainsFunc(st.order, func(o *occurrence) bool { return o.Mode == atomicity.Write }) {
		return nil
	}
	var look *occurrence
	ast.Inspect(b.Block, func(n ast.Node) bool {
		loop, ok := n.(*ast.RangeStmt)
		if !ok || look != nil {
			return look == nil
		}
		for _, stmt := range loop.Body.List {
			test, ok := stmt.(*ast.IfStmt)
			if !ok || !s.comparesGiven(b, test.Cond) || !returnsTrue(test.Body) {
				continue
			}
			for _, o := range st.order {
				if o.via == nil && o.Var.Obj.IsField() && ast.Unparen(o.Expr) == ast.Unparen(loop.X) {
					look = o
				}
			}
		}
		return look == nil
	})
	return look
}

// comparesGiven says whether the condition is that something is equal to a parameter.
func (s *search) comparesGiven(b *accesses.Body, cond ast.Expr) bool {
	found := false
	ast.Inspect(cond, func(n ast.Node) bool {
		x, ok := n.(*ast.BinaryExpr)
		if !ok || x.Op != token.EQL {
			return !found
		}
		for _, side := range []ast.Expr{x.X, x.Y} {
			id, ok := baseOf(side).(*ast.Ident)
			if !ok {
				continue
			}
			for p := range b.Func.Signature().Params().Variables() {
				found = found || s.pkg.Info.ObjectOf(id) == types.Object(p)
			}
		}
		return !found
	})
	return found
}

// returnsTrue says whether the block ends with return true.
func returnsTrue(block *ast.BlockStmt) bool {
	if len(block.List) == 0 {
		return false
	}
	ret, ok := block.List[len(block.List)-1].(*ast.ReturnStmt)
	if !ok || len(ret.Results) != 1 {
		return false
	}
	id, ok := ast.Unparen(ret.Results[0]).(*ast.Ident)
	return ok && id.Name == "true"
}

// looksUnder says whether the function that adds to the map looks through it again, or the finder
// is called, in the critical section of the write.
func (s *search) looksUnder(w *occurrence, finder *accesses.Body) bool {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	if w.via != nil {
		b := s.pkg.ByFunc[s.locks.Callee(w.via)]
		if b == nil {
			return true
		}
		s.bodyState = s.stateOf(b)
	}
	found := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.RangeStmt:
			sel, ok := ast.Unparen(n.X).(*ast.SelectorExpr)
			found = found || ok && s.pkg.Info.ObjectOf(sel.Sel) == types.Object(w.Var.Obj)
		case *ast.CallExpr:
			found = found || w.via != nil && s.pkg.ByFunc[s.locks.Callee(n)] == finder
		}
		return !found
	})
	return found
}
