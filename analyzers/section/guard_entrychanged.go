package section

import (
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// entryChanged is the read of an entry of a field's map or slice that e is, itself or as a local
// that was given one; nil if it is something else:
//
//	s.mu.RLock()
//	if c, ok := s.counters[code]; ok {
//		c.Inc(1) // elsewhere, under s.mu: s.counters[code].Inc(1)
//	}
func (s *search) entryChanged(b *accesses.Body, e ast.Expr) *occurrence {
	e = ast.Unparen(e)
	if id, ok := e.(*ast.Ident); ok {
		v, isVar := s.pkg.Info.ObjectOf(id).(*types.Var)
		if !isVar || accesses.IsGlobal(v) || !pointers(v.Type()) {
			return nil
		}
		list, _ := s.stateOf(b).values.reaching(v, id.Pos())
		if len(list) != 1 {
			return nil
		}
		e = ast.Unparen(list[0].value)
	}
	x, ok := e.(*ast.IndexExpr)
	if !ok || !pointers(s.pkg.Info.TypeOf(x)) {
		if t, isTuple := s.pkg.Info.TypeOf(e).(*types.Tuple); !ok || !isTuple || t.Len() == 0 || !pointers(t.At(0).Type()) {
			return nil
		}
	}
	kind := access.MapElement
	switch t := s.pkg.Info.TypeOf(x.X); {
	case t == nil:
		return nil
	case isSlice(t):
		kind = access.Element
	case !isMap(t):
		return nil
	}
	of := s.fieldOf(b, x.X)
	if of == nil || !of.Var.Obj.IsField() {
		return nil
	}
	a := &access.Access{Var: access.Var{Obj: of.Var.Obj, Contents: true}, Mode: atomicity.Read, Kind: kind, Expr: x, Cell: x, Func: b.Fn}
	return &occurrence{Access: a, place: of.place}
}
