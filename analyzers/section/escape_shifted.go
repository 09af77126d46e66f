package section

import (
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

// shifted finds slices that are read under a lock and walked through after its release,
// while another function moves the elements of that very array with the lock held, as
// append(s[:i], s[i+1:]...) does: one is skipped then, and another one met twice. Who only
// appends leaves the elements alone that were there.
func (s *search) shifted() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) {
		return
	}
	reported := map[access.Var]bool{}
	s.walks(func(list ast.Expr, use ast.Node, held locks.Set) {
		src := s.sliceRead(list)
		if src == nil {
			s.shiftedInside(list, use, held, reported)
		}
		if src == nil || reported[src.Var] || s.reachOf(src) == shared.Private {
			return
		}
		if id, ok := ast.Unparen(list).(*ast.Ident); ok && (s.holds(id, src) && s.replaced(id, src) || s.detached(src, id)) {
			return
		}
		for _, l := range locksOf(src.held) {
			if l.Root != src.place.Root || held[l] > locks.Possible || src.via == nil && src.outer[l] == locks.Possible {
				continue
			}
			shift, b := s.shiftOf(src.Var, locks.ClassOf(l))
			if shift == nil {
				continue
			}
			if _, strong, _ := s.shared.RivalsAmong(s.body, src.Var, map[*accesses.Body]bool{b: true}); !strong {
				continue
			}
			reported[src.Var] = true
			s.walkedMeanwhile(src, use, shift, l, b)
			return
		}
	})
}

// holds says whether the local was given the very value that is read, and is not an element of
// what it was put into.
func (s *search) holds(id *ast.Ident, src *occurrence) bool {
	return slices.ContainsFunc(s.values.assigns[s.pkg.Info.ObjectOf(id)], func(d assignment) bool {
		return ast.Unparen(d.value) == src.Expr
	})
}

func (s *search) walkedMeanwhile(src *occurrence, use, shift ast.Node, l accesses.Place, b *accesses.Body) {
	c := s.direct("testuse", "guarded-escape", src.source(), src.Pos(), use.Pos())
	c.Via = src.via
	c.Roles = [2]string{"read", "walked through"}
	c.Protected = l.String()
	c.Message = fmt.Sprintf("%s is walked through after %s was released, while %s moves its elements in place (%s): one can be skipped, or met twice",
		types.ExprString(src.Expr), l, b.Fn.Name, types.ExprString(shift.(ast.Expr)))
	s.tell(c, src, src.source())
}

// walks visits the loops of the body over slices, by range or index, with the locks that
// are held inside.
func (s *search) walks(visit func(list ast.Expr, use ast.Node, held locks.Set)) {
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.RangeStmt:
			id, named := n.Value.(*ast.Ident)
			if held, ok := s.heldIn(n.Body); ok && named && id.Name != "_" && isSlice(s.pkg.Info.TypeOf(n.X)) {
				visit(n.X, n.X, held)
			}
		case *ast.ForStmt:
			held, ok := s.heldIn(n.Body)
			if !ok {
				return true
			}
			ast.Inspect(n.Body, func(m ast.Node) bool {
				if x, isIndex := m.(*ast.IndexExpr); isIndex && isSlice(s.pkg.Info.TypeOf(x.X)) && s.pkg.Info.Types[x.Index].Value == nil {
					if _, local := ast.Unparen(x.X).(*ast.Ident); local {
						visit(x.X, x, held)
					}
				}
				return true
			})
		}
		return true
	})
}

func isSlice(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Slice)
	return ok
}

// heldIn is what is held when the block begins, as far as something happens there.
func (s *search) heldIn(block *ast.BlockStmt) (held locks.Set, ok bool) {
	first := block.End()
	s.locks.Walk(s.body, func(_, _ int, ev accesses.Event, now locks.Set) {
		if at := ev.Pos(); block.Pos() < at && at < first {
			held, first, ok = now, at, true
		}
	})
	return held, ok
}

// sliceRead is the read under a lock, of a field or of an entry of a map, whose value the
// expression has: a local that holds it, the call of a getter, or an element of a local list or
// map in which such slices were collected.
func (s *search) sliceRead(e ast.Expr) *occurrence { return s.sliceReadFrom(e, 4) }

// sliceReadFrom is sliceRead through so many lists and maps at most: a list may be an element of itself,
// as in g := m[k]; m[k] = g.
func (s *search) sliceReadFrom(e ast.Expr, depth int) *occurrence {
	if depth == 0 {
		return nil
	}
	e = ast.Unparen(e)
	into := e
	if id, ok := e.(*ast.Ident); ok {
		list := s.values.assigns[s.pkg.Info.ObjectOf(id)]
		if len(list) != 1 {
			return nil
		}
		e = ast.Unparen(list[0].value)
	}
	if src := s.collectedRead(into, e, depth); src != nil {
		return src
	}
	for _, a := range s.values.reads[e] {
		o := s.occ[a]
		if o == nil || o.Mode != atomicity.Read || o.lit || !o.Var.Obj.IsField() || a.Kind != access.Cell && a.Kind != access.MapElement {
			continue
		}
		if o.via == nil && a.Expr == e && o.held.Any() {
			return o
		}
		if o.via == e && !o.outer.Any() && o.held.Any() && s.returnsItself(o, s.pkg.Info.TypeOf(into)) {
			return o
		}
	}
	return nil
}

// collectedRead is the read of a slice that was put into a local list or map, as it is, of which
// the expression is an element: in a loop over it, where value is what the loop walks through,
// or by an index.
func (s *search) collectedRead(e, value ast.Expr, depth int) *occurrence {
	if x, ok := value.(*ast.IndexExpr); ok {
		value = ast.Unparen(x.X)
	} else if value == e {
		return nil
	}
	id, ok := value.(*ast.Ident)
	if !ok {
		return nil
	}
	local := s.pkg.Info.ObjectOf(id)
	if v, ok := local.(*types.Var); !ok || v.IsField() || accesses.IsGlobal(v) {
		return nil
	}
	of := elementType(local.Type())
	if of == nil || !isSlice(of) || s.pkg.Info.TypeOf(e) == nil || !types.Identical(of, s.pkg.Info.TypeOf(e)) {
		return nil
	}
	var put []ast.Expr
	for _, d := range s.values.assigns[local] {
		call, ok := ast.Unparen(d.value).(*ast.CallExpr)
		if !ok || call.Ellipsis.IsValid() || len(call.Args) < 2 || !s.isObject(call.Args[0], local) || !s.pkg.Info.Types[call.Fun].IsBuiltin() {
			continue
		}
		put = append(put, call.Args[1:]...)
	}
	for _, d := range s.values.filled[local] {
		put = append(put, d.value)
	}
	for _, x := range put {
		if t := s.pkg.Info.TypeOf(x); t == nil || !types.Identical(t, of) {
			continue
		}
		if id, ok := ast.Unparen(x).(*ast.Ident); ok && s.pkg.Info.ObjectOf(id) == local {
			continue
		}
		if src := s.sliceReadFrom(x, depth-1); src != nil {
			return src
		}
	}
	return nil
}

// elementType is the type of the elements of a slice or map, or nil.
func elementType(t types.Type) types.Type {
	switch t := t.Underlying().(type) {
	case *types.Slice:
		return t.Elem()
	case *types.Map:
		return t.Elem()
	}
	return nil
}

// returnsItself says whether the getter returns what o reads as it is, and no copy, as a result that
// a variable of the type can take.
func (s *search) returnsItself(o *occurrence, t types.Type) bool {
	b := s.pkg.ByFunc[s.locks.Callee(o.via)]
	if b == nil || o.origin == nil || t == nil {
		return false
	}
	found := false
	ast.Inspect(b.Block, func(n ast.Node) bool {
		if ret, ok := n.(*ast.ReturnStmt); ok {
			for _, r := range s.pkg.PlainReturn(ret).Results {
				of := s.pkg.Info.TypeOf(r)
				found = found || ast.Unparen(r) == o.origin.Expr && of != nil && types.AssignableTo(of, t)
			}
		}
		return !found
	})
	return found
}
