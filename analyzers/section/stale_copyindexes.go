package section

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// copyIndexes finds elements that are taken out of a slice without its lock, at an index which comes
// from the copy of it that a method of the object has made under the lock:
//
//	list := x.Items()              // x.mu.Lock(); return append([]item(nil), x.items...)
//	return x.items[len(list)-1]    // list[len(list)-1]
//
// The slice can be another one by then, and shorter.
func (s *search) copyIndexes() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) {
		return
	}
	for _, o := range s.order {
		x, ok := ast.Unparen(o.Expr).(*ast.IndexExpr)
		if !ok || o.Mode != atomicity.Read || o.Kind != access.Element || o.via != nil || o.lit || o.later || !o.Var.Obj.IsField() || s.heldThere(o) || s.reachOf(o) < shared.Meant || s.saidOfField(o.Var.Obj) {
			continue
		}
		call := s.copiedAt(x)
		if call == nil {
			continue
		}
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		slice := s.pkg.PlaceOf(x.X)
		if !ok || slice.Root == nil || s.pkg.PlaceOf(sel.X).Root != slice.Root || s.pkg.PlaceOf(sel.X).Path != path(slice.Path) {
			continue
		}
		class := s.copiesUnder(s.pkg.ByFunc[s.locks.Callee(call)], o.Var.Obj)
		if class == "" {
			continue
		}
		w := s.changesUnder(o.Var.Obj, class)
		if w == nil {
			continue
		}
		c := s.direct("discipline", "unguarded-access", o.Access, o.Pos(), w.Pos())
		c.Roles = [2]string{"read without the lock", "stored with it"}
		c.Message = fmt.Sprintf("%s is read here without the lock under which %s has made the copy that the index comes from: %s can have changed %s since, and made it shorter",
			types.ExprString(o.Expr), types.ExprString(call.Fun), w.body.Fn.Name, types.ExprString(x.X))
		s.tell(c, o, w.Access)
		return
	}
}

// saidOfField says whether something is reported already of what the body does to the field or what is in it.
func (s *search) saidOfField(field types.Object) bool {
	return slices.ContainsFunc(s.found, func(c *Candidate) bool {
		return c.Sure && c.Variable.Obj == field && c.Entry != nil && c.Entry.Func == s.body.Fn
	})
}

// copiedAt is the call that has returned the slice of which the index of x tells the length, or a
// place in it.
func (s *search) copiedAt(x *ast.IndexExpr) *ast.CallExpr {
	var found *ast.CallExpr
	ast.Inspect(x.Index, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			found = cmp.Or(found, s.measured(n))
			return false
		case *ast.Ident:
			obj := s.pkg.Info.ObjectOf(n)
			if list := s.values.assigns[obj]; len(list) == 1 {
				if call, ok := ast.Unparen(list[0].value).(*ast.CallExpr); ok {
					found = cmp.Or(found, s.measured(call))
				}
			}
			ast.Inspect(s.body.Block, func(m ast.Node) bool {
				loop, ok := m.(*ast.RangeStmt)
				if ok && obj != nil && loop.Pos() < x.Pos() && x.End() <= loop.End() {
					if key := identOf(loop.Key); key != nil && s.pkg.Info.ObjectOf(key) == obj {
						found = cmp.Or(found, s.returnedBy(loop.X))
					}
				}
				return true
			})
		}
		return true
	})
	return found
}

// measured is the call that has returned what len is called of.
func (s *search) measured(call *ast.CallExpr) *ast.CallExpr {
	if id := identOf(call.Fun); id == nil || id.Name != "len" || !s.pkg.Info.Types[id].IsBuiltin() || len(call.Args) != 1 {
		return nil
	}
	return s.returnedBy(call.Args[0])
}

// returnedBy is the call that returns the slice, or has returned it to a local once and for all.
func (s *search) returnedBy(e ast.Expr) *ast.CallExpr {
	if call, ok := ast.Unparen(e).(*ast.CallExpr); ok {
		return call
	}
	if id := identOf(e); id != nil {
		if list := s.values.assigns[s.pkg.Info.ObjectOf(id)]; len(list) == 1 {
			call, _ := ast.Unparen(list[0].value).(*ast.CallExpr)
			return call
		}
	}
	return nil
}

// copiesUnder is the class of the lock that the body of a method takes itself to read the slice in the
// field, of which it returns one of the same type and never the field itself.
func (s *search) copiesUnder(b *accesses.Body, field types.Object) string {
	if b == nil || b == s.body || b.Func == nil || b.Func.Signature().Recv() == nil || b.Func.Signature().Results().Len() == 0 || !isSlice(field.Type()) ||
		!types.Identical(b.Func.Signature().Results().At(0).Type(), field.Type()) {
		return ""
	}
	class, entry := "", s.locks.Entry(b)
	for _, k := range s.stateOf(b).order {
		if k.Var.Obj != field || k.via != nil || k.Mode != atomicity.Read {
			continue
		}
		if ret, ok := k.Stmt.(*ast.ReturnStmt); ok && len(ret.Results) > 0 && ast.Unparen(ret.Results[0]) == k.Expr {
			return ""
		}
		own := ""
		for _, l := range locksOf(k.held) {
			if _, before := entry[l]; !before && l.Root == k.place.Root {
				own = locks.ClassOf(l)
			}
		}
		if own == "" {
			return ""
		}
		class = own
	}
	return class
}

// changesUnder is where another function stores the slice in the field, under a lock of the class, while
// this one runs, if none stores it without.
func (s *search) changesUnder(field *types.Var, class string) *placed {
	var found *placed
	all := s.ownAccesses(access.Var{Obj: field})
	for i, w := range all {
		switch {
		case w.Mode != atomicity.Write:
		case w.held[w.lockOf(class)] != locks.Exclusive:
			return nil
		case w.body.Outermost() != s.body.Outermost():
			if _, strong, _ := s.shared.RivalsAmong(s.body, access.Var{Obj: field}, map[*accesses.Body]bool{w.body: true}); strong {
				found = &all[i]
			}
		}
	}
	return found
}
