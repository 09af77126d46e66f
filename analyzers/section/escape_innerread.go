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

// An innerRead is the read of a map or slice in a field of an object that was found in a
// container, under the lock of the container, by the body or by a getter that it calls.
type innerRead struct {
	src  *occurrence
	lock accesses.Place // in terms of the body searched
	at   ast.Expr       // the field, or the call of the getter
	via  *ast.CallExpr
}

// innerReadOf is the one whose value the expression has: a local that was given nothing else, or
// the call of a getter; or nil.
func (s *search) innerReadOf(e ast.Expr) *innerRead {
	e = ast.Unparen(e)
	result := 0
	if id, ok := e.(*ast.Ident); ok {
		obj := s.pkg.Info.ObjectOf(id)
		list := s.values.assigns[obj]
		if obj == nil || len(list) != 1 {
			return nil
		}
		e = ast.Unparen(list[0].value)
		if call, ok := e.(*ast.CallExpr); ok {
			result = slices.IndexFunc(s.values.taken[call], func(l ast.Expr) bool { return s.isObject(l, obj) })
		}
	}
	switch e := e.(type) {
	case *ast.SelectorExpr:
		if src, l := s.readInside(e); src != nil {
			return &innerRead{src, l, e, nil}
		}
	case *ast.CallExpr:
		return s.gottenInside(e, max(result, 0))
	}
	return nil
}

// gottenInside is the innerRead that the function makes which the call is of, if it returns the
// very map or slice, as that result, after the release of the lock that it has taken.
func (s *search) gottenInside(call *ast.CallExpr, result int) *innerRead {
	fn := s.locks.Callee(call)
	b := s.pkg.ByFunc[fn]
	if b == nil || b == s.body {
		return nil
	}
	current := s.bodyState
	defer func() { s.bodyState = current }()
	s.bodyState = s.stateOf(b)
	var found *innerRead
	ast.Inspect(b.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			plain := s.pkg.PlainReturn(n)
			if len(plain.Results) <= result || found != nil {
				return false
			}
			r := ast.Unparen(plain.Results[result])
			if id, ok := r.(*ast.Ident); ok {
				list := s.values.assigns[s.pkg.Info.ObjectOf(id)]
				if len(list) != 1 {
					return false
				}
				r = ast.Unparen(list[0].value)
			}
			sel, ok := r.(*ast.SelectorExpr)
			if !ok {
				return false
			}
			src, l := s.readInside(sel)
			if src == nil || !s.acquires(l) {
				return false
			}
			if to := s.locks.ToCaller(call, fn, l); to.Valid() {
				found = &innerRead{src, to, call, call}
			}
			return false
		}
		return true
	})
	return found
}

// readInside is the read that the field is, of an object that the body has found in a container
// and does not take out of it, and the lock of the container that is held since; or nil.
func (s *search) readInside(sel *ast.SelectorExpr) (*occurrence, accesses.Place) {
	src := s.occurrenceOf(sel)
	if src == nil || src.Kind != access.Cell || !src.Var.Obj.IsField() || !src.held.Any() || s.reachOf(src) == shared.Private {
		return nil, accesses.Place{}
	}
	if t := s.pkg.Info.TypeOf(sel); t == nil || !isSlice(t) && !isMap(t) {
		return nil, accesses.Place{}
	}
	in := s.foundFor(src)
	if x, ok := ast.Unparen(sel.X).(*ast.IndexExpr); ok {
		for _, a := range s.values.reads[x] {
			if o := s.occ[a]; o != nil && o.via == nil && (a.Kind == access.MapElement || a.Kind == access.Element) {
				in = o
			}
		}
	}
	if in == nil || in.via != nil || slices.ContainsFunc(s.order, func(w *occurrence) bool {
		return w.Mode == atomicity.Write && w.Var.Obj == in.Var.Obj && (w.Method == "delete" || w.Kind == access.Cell)
	}) {
		return nil, accesses.Place{}
	}
	for _, l := range locksOf(src.held) {
		if l.Root == in.place.Root && in.held.Holds(l) && s.oneHold(in, src) {
			return src, l
		}
	}
	return nil, accesses.Place{}
}

// innerEscapes finds maps that are parts of objects in a container, were read under its lock, and
// are used after the release, while others write their entries with it held:
//
//	s.mu.Lock()
//	members := s.rooms[name].members
//	s.mu.Unlock()
//	for _, m := range members { … } // elsewhere, under s.mu: s.rooms[name].members[k] = m
func (s *search) innerEscapes() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || !s.shared.Launched(s.body) && !s.shared.Entered(s.body) && !s.shared.Spawned(s.body) || s.locks.Entry(s.body).Any() {
		return
	}
	reported := map[access.Var]bool{}
	use := func(m ast.Expr, at ast.Node, held locks.Set) {
		if t := s.pkg.Info.TypeOf(m); t == nil || !isMap(t) {
			return
		}
		in := s.innerReadOf(m)
		if in == nil || reported[in.src.Var] {
			return
		}
		if _, still := held[in.lock]; still {
			return
		}
		entries := access.Var{Obj: in.src.Var.Obj, Contents: true}
		w := s.writtenWith(entries, locks.ClassOf(in.lock))
		if w == nil {
			return
		}
		reported[in.src.Var] = true
		c := s.direct("testuse", "guarded-escape", in.src.Access, in.at.Pos(), at.Pos())
		c.Roles = [2]string{"read", "used"}
		c.Protected = in.lock.String()
		if c.Via = in.via; in.via != nil {
			c.Within = in.src.Pos()
		}
		c.Message = fmt.Sprintf("%s is the map %s itself, not a copy; it is used after %s was released, while %s writes its entries (%s)",
			types.ExprString(m), types.ExprString(in.src.Expr), in.lock, w.body.Fn.Name, types.ExprString(w.Expr))
		s.tell(c, in.src, in.src.Access)
	}
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.RangeStmt:
			if t := s.pkg.Info.TypeOf(n.X); t == nil || !isMap(t) || s.innerReadOf(n.X) == nil {
				return true
			}
			if held, ok := s.heldIn(n.Body); ok {
				use(n.X, n.X, held)
			}
		}
		return true
	})
	for _, o := range s.order {
		if o.Kind != access.MapElement || o.via != nil {
			continue
		}
		if id, ok := ast.Unparen(o.Cell).(*ast.Ident); ok {
			use(id, o.Expr, o.held)
		}
	}
}

// writtenWith is a write by another function to the variable, which others make with a lock of
// the class held, all of them; or nil.
func (s *search) writtenWith(v access.Var, class string) *placed {
	if !s.changedUnder(v, class, nil) {
		return nil
	}
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, k := range s.ownAccesses(v) {
		if k.Mode != atomicity.Write || k.body.Outermost() == current.body.Outermost() {
			continue
		}
		s.bodyState = s.states[k.body]
		if s.reachOf(k.occurrence) == shared.Private {
			continue
		}
		s.bodyState = current
		if _, strong, _ := s.shared.RivalsAmong(s.body, v, map[*accesses.Body]bool{k.body: true}); strong {
			return &k
		}
	}
	return nil
}

// shiftedInside is shifted for a slice that is a part of an object in a container.
func (s *search) shiftedInside(list ast.Expr, use ast.Node, held locks.Set, reported map[access.Var]bool) {
	in := s.innerReadOf(list)
	if in == nil || reported[in.src.Var] || s.locks.Entry(s.body).Any() {
		return
	}
	if _, still := held[in.lock]; still {
		return
	}
	shift, b := s.shiftOf(in.src.Var, locks.ClassOf(in.lock))
	if shift == nil {
		return
	}
	if _, strong, _ := s.shared.RivalsAmong(s.body, in.src.Var, map[*accesses.Body]bool{b: true}); !strong {
		return
	}
	reported[in.src.Var] = true
	c := s.direct("testuse", "guarded-escape", in.src.Access, in.at.Pos(), use.Pos())
	c.Roles = [2]string{"read", "walked through"}
	c.Protected = in.lock.String()
	if c.Via = in.via; in.via != nil {
		c.Within = in.src.Pos()
	}
	c.Message = fmt.Sprintf("%s is walked through after %s was released, while %s moves its elements in place (%s): one can be skipped, or met twice",
		types.ExprString(in.src.Expr), in.lock, b.Fn.Name, types.ExprString(shift.(ast.Expr)))
	s.tell(c, in.src, in.src.Access)
}
