package section

import (
	"go/ast"
	"go/types"
	"maps"

	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// copiedOut is the read of the map or slice, under a lock, from which the body has copied what a loop
// over the copy gives to the local e, or nil:
//
//	b.mu.RLock(); list := slices.Collect(maps.Values(b.subs)); b.mu.RUnlock()
//	for _, c := range list { c <- v }
//
// or a function of the package has copied it, which returns the copy: for _, c := range b.snapshot() { c <- v }.
func (s *search) copiedOut(e ast.Expr) *occurrence {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return nil
	}
	list := s.values.assigns[s.pkg.Info.ObjectOf(id)]
	if len(list) != 1 || list[0].plain {
		return nil
	}
	if call := s.madeByCall(list[0].value); call != nil {
		return s.copiedBelow(call, s.pkg.Info.TypeOf(id))
	}
	from, ok := ast.Unparen(list[0].value).(*ast.Ident)
	if !ok || isPackageLevel(s.pkg.Info.ObjectOf(from)) {
		return nil
	}
	sources := s.copiedInto(from)
	for _, o := range s.order {
		if !sources[o.Access] || o.via != nil || o.Method == "len" || o.Mode != atomicity.Read || !o.held.Any() || o.Pos() > id.Pos() || !holds(o.Var.Obj.Type(), s.pkg.Info.TypeOf(id)) && !s.isSetOf(o, s.pkg.Info.TypeOf(id)) {
			continue
		}
		return ofElements(o)
	}
	return nil
}

// ofElements is the read as one of the elements.
func ofElements(o *occurrence) *occurrence {
	copied := *o.Access
	copied.Kind, copied.Var.Contents = access.MapElement, true
	x := *o
	x.Access = &copied
	return &x
}

// madeByCall is the call of a function of the package whose result e is, or holds as a local that is set once.
func (s *search) madeByCall(e ast.Expr) *ast.CallExpr {
	if id, ok := ast.Unparen(e).(*ast.Ident); ok {
		list := s.values.assigns[s.pkg.Info.ObjectOf(id)]
		if len(list) != 1 || isPackageLevel(s.pkg.Info.ObjectOf(id)) {
			return nil
		}
		e = list[0].value
	}
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || s.pkg.ByFunc[s.locks.Callee(call)] == nil {
		return nil
	}
	return call
}

// copiedBelow is the read of a container by the function called, under a lock that it gives back, of whose
// elements what it returns is a copy.
func (s *search) copiedBelow(call *ast.CallExpr, element types.Type) *occurrence {
	fn := s.locks.Callee(call)
	b := s.pkg.ByFunc[fn]
	var read *occurrence
	s.inState(b, func() {
		sources := map[*access.Access]bool{}
		ast.Inspect(b.Block, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.ReturnStmt:
				if len(n.Results) != 1 {
					return true
				}
				if id, ok := ast.Unparen(n.Results[0]).(*ast.Ident); ok {
					maps.Copy(sources, s.copiedInto(id))
				}
			}
			return true
		})
		for _, o := range s.order {
			if read == nil && sources[o.Access] && o.via == nil && o.Mode == atomicity.Read && o.Method != "len" && o.held.Any() && holds(o.Var.Obj.Type(), element) {
				read = ofElements(o)
			}
		}
	})
	if read == nil {
		return nil
	}
	to := s.locks.ToCaller(call, fn, read.place)
	held := locks.Set{}
	for l, m := range read.held {
		if l := s.locks.ToCaller(call, fn, l); l.Valid() {
			held[l] = m
		}
	}
	if !to.Valid() || !held.Any() {
		return nil
	}
	a := *read.Access
	a.Expr, a.Stmt, a.Update, a.Func = call, nil, nil, s.body.Fn
	return &occurrence{Access: &a, origin: read.Access, at: read.Pos(), via: call, depth: 1, place: to, held: held, outer: locks.Set{}}
}

// isSetOf says whether what is read is a map with keys of the type: a set, as that of those who listen
// often is.
func (s *search) isSetOf(o *occurrence, key types.Type) bool {
	t := s.pkg.Info.TypeOf(o.Expr) // of a generic type with the arguments that it has here
	if t == nil || key == nil {
		return false
	}
	m, ok := t.Underlying().(*types.Map)
	return ok && types.Identical(m.Key(), key)
}

// copiedInto are the reads from which the elements of the local come, also those by copy(list, x).
func (s *search) copiedInto(list *ast.Ident) map[*access.Access]bool {
	from := map[*access.Access]bool{}
	for a := range s.values.of(list) {
		from[a] = true
	}
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && s.isBuiltin(call, "copy") && len(call.Args) == 2 {
			if to, ok := ast.Unparen(call.Args[0]).(*ast.Ident); ok && s.pkg.Info.ObjectOf(to) == s.pkg.Info.ObjectOf(list) {
				for a := range s.values.of(call.Args[1]) {
					from[a] = true
				}
			}
		}
		return true
	})
	return from
}
