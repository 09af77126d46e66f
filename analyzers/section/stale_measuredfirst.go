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

// measuredFirst finds slices that are made as long as a guarded slice or map is in one critical
// section and filled by index while its entries are gone through in another:
//
//	out := make([]string, x.Len())            // x.mu.Lock(); defer x.mu.Unlock(); return len(x.m)
//	x.Each(func(k string) { out[i] = k; i++ })
//
// Whoever adds an entry in between makes the index run out of range.
func (s *search) measuredFirst() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || s.shared.Single(s.body) {
		return
	}
	made := s.madeSlices()
	if len(made) == 0 {
		return
	}
	for _, n := range s.order {
		if n.Mode != atomicity.Read || n.later || !n.held.Any() || !n.Var.Obj.IsField() || s.reachOf(n) < shared.Implied {
			continue
		}
		for _, m := range made {
			if _, measured := s.values.of(m.call.Args[1])[n.Access]; !measured {
				continue
			}
			for _, w := range s.order {
				x, ok := ast.Unparen(w.Expr).(*ast.IndexExpr)
				if !ok || w.Mode != atomicity.Write || !w.held.Any() || identOf(x.X) == nil || s.pkg.Info.ObjectOf(identOf(x.X)) != m.local || s.oneHold(n, w) {
					continue
				}
				if r := s.entriesAround(n, x); r != nil && !s.oneHold(n, r) && s.tellMeasured(n, r, m, x) {
					return
				}
			}
		}
	}
}

// A madeSlice is a local slice and the only call of make that it is set to.
type madeSlice struct {
	local types.Object
	call  *ast.CallExpr
}

// madeSlices are the slices of the body that are made with a length that is no constant, in the
// order of the text.
func (s *search) madeSlices() []madeSlice {
	var list []madeSlice
	for local, assigned := range s.values.assigns {
		if len(assigned) != 1 {
			continue
		}
		call, ok := ast.Unparen(assigned[0].value).(*ast.CallExpr)
		if ok && len(call.Args) == 2 && s.isBuiltin(call, "make") && s.pkg.Info.Types[call.Args[1]].Value == nil {
			list = append(list, madeSlice{local, call})
		}
	}
	slices.SortFunc(list, func(a, b madeSlice) int { return int(a.call.Pos() - b.call.Pos()) })
	return list
}

// entriesAround is the access that goes through what n measures, by a range statement around the
// index expression or by a method that is given the literal around it, where the index is the
// number of the entry and nothing looks at it; or nil.
func (s *search) entriesAround(n *occurrence, x *ast.IndexExpr) *occurrence {
	id := identOf(x.Index)
	if id == nil {
		return nil
	}
	i, filled := s.pkg.Info.ObjectOf(id), s.pkg.Info.ObjectOf(identOf(x.X))
	var entries *occurrence
	ast.Inspect(s.body.Block, func(m ast.Node) bool {
		if m == nil || m.End() <= x.Pos() || x.End() <= m.Pos() {
			return false
		}
		switch m := m.(type) {
		case *ast.RangeStmt:
			key, _ := m.Key.(*ast.Ident)
			if (key != nil && s.pkg.Info.ObjectOf(key) == i || s.incremented(m.Body, i)) && !s.comparedWithin(m.Body, i, filled) {
				for _, r := range s.order {
					if r.Mode == atomicity.Read && r.Expr == ast.Unparen(m.X) && r.sameInstance(n) && r.Var.Obj == n.Var.Obj && r.held.Any() {
						entries = r
					}
				}
			}
		case *ast.CallExpr:
			for _, a := range m.Args {
				lit, ok := ast.Unparen(a).(*ast.FuncLit)
				if ok && lit.Pos() <= x.Pos() && x.End() <= lit.End() && (isParam(s.pkg.Info, lit, i) || s.incremented(lit.Body, i)) && !s.comparedWithin(lit.Body, i, filled) {
					entries = s.goneThroughIn(n, m)
				}
			}
		}
		return true
	})
	return entries
}

// goneThroughIn is the range of the method that the call calls over what n measures of the same
// object, as an access of this body.
func (s *search) goneThroughIn(n *occurrence, call *ast.CallExpr) *occurrence {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	b := s.pkg.ByFunc[s.locks.Callee(call)]
	if !ok || b == nil || n.place.Root == nil || b.Func.Signature().Recv() == nil || s.pkg.PlaceOf(sel.X).Root != n.place.Root {
		return nil
	}
	for _, r := range s.states[b].order {
		if r.via != nil || r.Mode != atomicity.Read || r.Var.Obj != n.Var.Obj || !r.held.Any() || r.place.Root != types.Object(b.Func.Signature().Recv()) {
			continue
		}
		ranged := false
		ast.Inspect(b.Block, func(m ast.Node) bool {
			loop, ok := m.(*ast.RangeStmt)
			ranged = ranged || ok && ast.Unparen(loop.X) == r.Expr
			return !ranged
		})
		if ranged {
			there := *r
			there.via = call
			return &there
		}
	}
	return nil
}

func isParam(info *types.Info, lit *ast.FuncLit, obj types.Object) bool {
	for _, p := range lit.Type.Params.List {
		if slices.ContainsFunc(p.Names, func(name *ast.Ident) bool { return info.Defs[name] == obj }) {
			return true
		}
	}
	return false
}

// incremented says whether a statement within the node adds one to the variable.
func (s *search) incremented(around ast.Node, obj types.Object) bool {
	found := false
	ast.Inspect(around, func(n ast.Node) bool {
		inc, ok := n.(*ast.IncDecStmt)
		found = found || ok && inc.Tok == token.INC && identOf(inc.X) != nil && s.pkg.Info.ObjectOf(identOf(inc.X)) == obj
		return !found
	})
	return found
}

// comparedWithin says whether a condition within the node mentions one of the two.
func (s *search) comparedWithin(around ast.Node, a, b types.Object) bool {
	found := false
	ast.Inspect(around, func(n ast.Node) bool {
		var cond ast.Expr
		switch n := n.(type) {
		case *ast.IfStmt:
			cond = n.Cond
		case *ast.ForStmt:
			cond = n.Cond
		case *ast.CaseClause:
			for _, e := range n.List {
				found = found || s.mentions(e, a) || s.mentions(e, b)
			}
		}
		found = found || cond != nil && (s.mentions(cond, a) || s.mentions(cond, b))
		return !found
	})
	return found
}

func (s *search) tellMeasured(n, r *occurrence, m madeSlice, fill ast.Expr) bool {
	in := s.growing(n)
	if in == nil {
		return false
	}
	c := s.direct("testuse", "unlock-relock", n.source(), n.Pos(), r.Pos())
	c.Via, c.EndVia = n.via, r.via
	if n.via != nil {
		c.Pos, c.Within = n.via.Pos(), n.where()
	}
	if r.via != nil {
		c.EndPos, c.EndWithin = r.via.Pos(), r.where()
	}
	c.Roles = [2]string{"measured", "gone through"}
	c.Message = fmt.Sprintf("%s is as long as %s was before the lock was released, and is filled by its entries (%s) under the lock taken anew: %s can add one in between, and the index is out of range",
		m.local.Name(), s.pkg.Name(access.Var{Obj: n.Var.Obj}), types.ExprString(fill), in.Fn.Name)
	s.tell(c, n, r.Access)
	return true
}

// growing is a function other than this one that adds to the slice or map that n measures, while
// this one runs.
func (s *search) growing(n *occurrence) *accesses.Body {
	cell, contents := access.Var{Obj: n.Var.Obj}, access.Var{Obj: n.Var.Obj, Contents: true}
	for _, k := range slices.Concat(s.ownAccesses(cell), s.ownAccesses(contents)) {
		if k.body.Outermost() == s.body.Outermost() || k.Mode != atomicity.Write || s.shared.Constructing(k.body) {
			continue
		}
		adds := k.Kind == access.MapElement && k.Method != "delete"
		for _, v := range stored(k.Access) {
			call, ok := ast.Unparen(v).(*ast.CallExpr)
			if ok && s.isBuiltin(call, "append") && len(call.Args) > 0 {
				_, cut := ast.Unparen(call.Args[0]).(*ast.SliceExpr) // append(x[:i], x[i+1:]...)
				adds = adds || !cut
			}
		}
		if !adds {
			continue
		}
		if _, strong, _ := s.shared.RivalsAmong(s.body, k.Var, map[*accesses.Body]bool{k.body: true}); strong {
			return k.body
		}
	}
	return nil
}
