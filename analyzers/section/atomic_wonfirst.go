package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// wonFirst finds objects that are filled by the one goroutine which wins a flag, while those that lose it
// go on as if all were there:
//
//	if x.ready.CompareAndSwap(false, true) {
//		x.table = build()
//	}
//	return x.table // nil for who comes second
//
// A sync.Once lets the others wait.
func (s *search) wonFirst() {
	if s.shared.Sequential(s.body) {
		return
	}
	for _, won := range s.order {
		if won.Kind != access.Atomic || won.Mode != atomicity.Write || won.via != nil || won.lit || !strings.HasPrefix(won.Method, "CompareAndSwap") || len(won.held) > 0 ||
			!won.Var.Obj.IsField() || won.place.Root == nil || s.reachOf(won) == shared.Private || s.shared.Constructing(s.body) && !s.gotByInterface(won.place.Root) {
			continue
		}
		if values := stored(won.Access); len(values) != 2 || s.pkg.Info.Types[values[0]].Value == nil || s.pkg.Info.Types[values[1]].Value == nil {
			continue
		}
		test, rest := s.wonIn(won)
		if test == nil || s.settlesIn(rest) {
			continue
		}
		filled := s.filledIn(test.Body, won)
		used := s.usedFilled(filled, won, rest)
		if used == nil {
			continue
		}
		if _, strong, _ := s.shared.RivalsAmong(s.body, won.Var, map[*accesses.Body]bool{s.body: true}); !strong && !s.gotByInterface(won.place.Root) {
			continue
		}
		c := s.direct("testuse", "atomic-check-then-act", won.Access, won.Pos(), used.Pos())
		c.EndName = s.pkg.Name(used.Var)
		c.Roles = [2]string{"won", "stored"}
		c.Message = fmt.Sprintf("%s is set before %s is stored: who loses the swap does not wait, and can use %s when it is not there yet", won.place, used.place, used.place)
		s.tell(c, won, used.Access)
		return
	}
}

// gotByInterface says whether the body has got the object from one that it was given, by a method of an
// interface: a constructor, too, may be given one that others have.
func (s *search) gotByInterface(object types.Object) bool {
	list := s.values.assigns[object]
	if len(list) != 1 {
		return false
	}
	call, ok := ast.Unparen(list[0].value).(*ast.CallExpr)
	if !ok {
		return false
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	return ok && types.IsInterface(s.pkg.Info.TypeOf(sel.X))
}

// wonIn is the if statement that asks for nothing but whether the swap has won, without else, and the
// statements that come after it.
func (s *search) wonIn(won *occurrence) (test *ast.IfStmt, rest []ast.Stmt) {
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		var list []ast.Stmt
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BlockStmt:
			list = n.List
		}
		for i, st := range list {
			x, ok := st.(*ast.IfStmt)
			if ok && x.Else == nil && x.Init == nil && (ast.Unparen(x.Cond) == won.Expr || s.namesSwap(x.Cond, won)) {
				test, rest = x, s.forBoth(x.Cond, list[i+1:])
			}
		}
		return test == nil
	})
	return test, rest
}

// namesSwap says whether the condition is a local that has whether the swap has won, and nothing else.
func (s *search) namesSwap(cond ast.Expr, won *occurrence) bool {
	id := identOf(cond)
	if id == nil {
		return false
	}
	list := s.values.assigns[s.pkg.Info.Uses[id]]
	return len(list) == 1 && ast.Unparen(list[0].value) == won.Expr
}

// forBoth are the statements of the rest that who loses comes to as well: those behind if first && … { return }. There
// are none where something else asks whether the swap has won, by the local that is the condition.
func (s *search) forBoth(cond ast.Expr, rest []ast.Stmt) []ast.Stmt {
	id := identOf(cond)
	if id == nil {
		return rest
	}
	first, ok := s.pkg.Info.Uses[id].(*types.Var)
	if !ok {
		return rest
	}
	from := 0
	for i, st := range rest {
		if !s.namedIn(st, first) {
			continue
		}
		x, ok := st.(*ast.IfStmt)
		if !ok || x.Else != nil || x.Init != nil || !leaves(x.Body) || s.namedIn(x.Body, first) || !s.isTermOf(x.Cond, first) {
			return nil
		}
		from = i + 1
	}
	return rest[from:]
}

// namedIn says whether the node names the variable.
func (s *search) namedIn(n ast.Node, v *types.Var) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && s.pkg.Info.Uses[id] == types.Object(v)
		return !found
	})
	return found
}

// isTermOf says whether the condition is that the variable is true, and other things.
func (s *search) isTermOf(cond ast.Expr, v *types.Var) bool {
	if b, ok := ast.Unparen(cond).(*ast.BinaryExpr); ok && b.Op == token.LAND {
		return s.isTermOf(b.X, v) || s.isTermOf(b.Y, v)
	}
	id := identOf(cond)
	return id != nil && s.pkg.Info.Uses[id] == types.Object(v)
}

// settlesIn says whether the statements may wait for another goroutine: there is a loop, a receive, or a
// call whose name says so.
func (s *search) settlesIn(list []ast.Stmt) bool {
	found := false
	for _, st := range list {
		ast.Inspect(st, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ForStmt, *ast.SelectStmt:
				found = true
			case *ast.UnaryExpr:
				found = found || n.Op == token.ARROW
			case *ast.CallExpr:
				name := types.ExprString(n.Fun)
				name = name[strings.LastIndexByte(name, '.')+1:]
				found = found || name == "Lock" || name == "RLock" || name == "Do" || strings.HasPrefix(name, "Load") || waitings.MatchString(name)
			}
			return !found
		})
	}
	return found
}

// filledIn are the plain fields of the object of the flag that the block stores, if it does nothing but
// store, and start goroutines, and does not leave the function.
func (s *search) filledIn(block *ast.BlockStmt, won *occurrence) []*occurrence {
	for _, st := range block.List {
		switch st.(type) {
		case *ast.AssignStmt, *ast.GoStmt:
		default:
			return nil
		}
	}
	var list []*occurrence
	for _, w := range s.order {
		if w.Mode == atomicity.Write && w.Kind == access.Cell && w.via == nil && !w.lit && w.Update == nil && block.Pos() <= w.Pos() && w.Pos() < block.End() && w.Var.Obj.IsField() &&
			w.Var.Obj != won.Var.Obj && w.place.Beside(won.place) {
			list = append(list, w)
		}
	}
	return list
}

// usedFilled is one of what was stored that who comes second uses: it is read in the rest, or the object
// is returned, and other functions read it.
func (s *search) usedFilled(filled []*occurrence, won *occurrence, rest []ast.Stmt) *occurrence {
	if len(filled) == 0 || len(rest) == 0 {
		return nil
	}
	from, to := rest[0].Pos(), rest[len(rest)-1].End()
	for _, w := range filled {
		if slices.ContainsFunc(s.order, func(r *occurrence) bool {
			return r.Mode == atomicity.Read && r.via == nil && r.sameInstance(w) && from <= r.Pos() && r.Pos() < to
		}) {
			return w
		}
	}
	ret, ok := rest[len(rest)-1].(*ast.ReturnStmt)
	if !ok || !s.returnsObject(ret, won.place.Root) {
		return nil
	}
	for _, w := range filled {
		if r, _ := s.another(w.Var, s.body, func(o *occurrence) bool { return o.Mode == atomicity.Read }); r != nil {
			return w
		}
	}
	return nil
}

// returnsObject says whether the statement returns the object, be it by the name of a result.
func (s *search) returnsObject(ret *ast.ReturnStmt, object types.Object) bool {
	for _, e := range ret.Results {
		if id := identOf(e); id != nil && s.pkg.Info.Uses[id] == object {
			return true
		}
	}
	if len(ret.Results) > 0 || s.body.Func == nil {
		return false
	}
	for v := range s.body.Func.Signature().Results().Variables() {
		if types.Object(v) == object {
			return true
		}
	}
	return false
}
