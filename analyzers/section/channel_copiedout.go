package section

import (
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// copiedOut is the read of the map or slice, under a lock, from which the body has copied what a loop
// over the copy gives to the local e, or nil:
//
//	b.mu.RLock(); list := slices.Collect(maps.Values(b.subs)); b.mu.RUnlock()
//	for _, c := range list { c <- v }
func (s *search) copiedOut(e ast.Expr) *occurrence {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return nil
	}
	list := s.values.assigns[s.pkg.Info.ObjectOf(id)]
	if len(list) != 1 || list[0].plain {
		return nil
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
		copied := *o.Access
		copied.Kind, copied.Var.Contents = access.MapElement, true
		x := *o
		x.Access = &copied
		return &x
	}
	return nil
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
