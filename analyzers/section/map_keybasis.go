package section

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// basisOf is, for a key that is put together of several things, what they are: by the name of a local
// what it was given, and by that of a field which of the writes in the body come before on any way.
// The same words then are not the same key:
//
//	_, ok := x.m[name+strconv.Itoa(x.gen)]
//	…
//	x.gen++
//	x.m[name+strconv.Itoa(x.gen)] = v
func (s *search) basisOf(st *bodyState, key ast.Expr, block, index int) map[string]string {
	switch ast.Unparen(key).(type) {
	case *ast.BinaryExpr, *ast.CallExpr, *ast.CompositeLit:
	default:
		return nil
	}
	basis := map[string]string{}
	ast.Inspect(key, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.SelectorExpr:
			if sel := s.pkg.Info.Selections[n]; sel != nil && sel.Kind() == types.FieldVal {
				basis[types.ExprString(n)] = s.alwaysWritten(st.body, s.pkg.PlaceOf(n), block, index)
				return false
			}
		case *ast.Ident:
			v, ok := s.pkg.Info.Uses[n].(*types.Var)
			if list := st.values.assigns[v]; ok && !accesses.IsGlobal(v) && len(list) == 1 {
				switch value := ast.Unparen(list[0].value).(type) {
				case *ast.CallExpr, *ast.BinaryExpr:
					basis[n.Name] = types.ExprString(value)
				}
			}
		}
		return true
	})
	return basis
}

// alwaysWritten names the writes of what is at the place without which control does not come to the
// event.
func (s *search) alwaysWritten(b *accesses.Body, place accesses.Place, to, at int) string {
	list := ""
	for block, events := range b.Events {
		for index, ev := range events {
			if a := ev.Access; place.Valid() && ev.Kind == accesses.OnAccess && a.Mode == atomicity.Write && a.Kind == access.Cell && s.pkg.PlaceOf(a.Cell) == place && always(b, block, index, to, at) {
				list += fmt.Sprint(a.Pos(), ",")
			}
		}
	}
	return list
}

// unlike says whether the keys of the two are put together of different things by one name.
func (o *occurrence) unlike(p *occurrence) bool {
	for name, is := range o.basis {
		if was, ok := p.basis[name]; ok && was != is {
			return true
		}
	}
	return false
}
