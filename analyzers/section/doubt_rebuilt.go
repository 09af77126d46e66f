package section

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
)

// rebuilt says whether what the end stores is made of the old contents by way of
// calls or loops: a changed copy of a map, slice or struct that takes the place
// of the original.
func (f *finding) rebuilt(c *Candidate, end *hit) bool {
	values := stored(end.Access)
	if end.via != nil {
		values = end.stores
	}
	if !f.holdsPointer(values) {
		return false
	}
	switch c.Category {
	case "atomic-load-and-store", "unlock-relock", "rlock-upgrade":
		return f.copied(values)
	case "sync-map":
		return f.isCollection(values[len(values)-1]) && f.copied(values)
	}
	return false
}

// isCollection says whether e is a slice or map, to which several add. What else is kept
// under a key may belong to one goroutine.
func (f *finding) isCollection(e ast.Expr) bool {
	switch f.values.underlying(e).(type) {
	case *types.Slice, *types.Map:
		return true
	}
	return false
}

// copied says whether contents of the entry's value flow into one of the values,
// element by element, all at once, or by a call that is named for it.
func (f *finding) copied(values []ast.Expr) bool { return f.copiedTo(values, map[types.Object]bool{}) }

func (f *finding) copiedTo(values []ast.Expr, seen map[types.Object]bool) bool {
	for _, v := range values {
		v = ast.Unparen(v)
		if u, ok := v.(*ast.UnaryExpr); ok && u.Op == token.AND {
			v = ast.Unparen(u.X)
		}
		switch v := v.(type) {
		case *ast.StarExpr:
			if _, ok := f.values.of(v)[f.entry.Access]; ok {
				return true
			}
		case *ast.CompositeLit:
			for _, el := range v.Elts {
				if kv, ok := el.(*ast.KeyValueExpr); ok {
					el = kv.Value
				}
				if _, ok := f.values.of(el)[f.entry.Access]; ok {
					return true
				}
			}
		case *ast.Ident:
			obj := f.pkg.Info.ObjectOf(v)
			if seen[obj] {
				continue // x = append(x, y)
			}
			seen[obj] = true
			for _, d := range f.values.filled[obj] {
				if _, ok := f.values.of(d.value)[f.entry.Access]; ok {
					return true
				}
			}
			for _, d := range f.values.assigns[obj] {
				if f.copiedTo([]ast.Expr{d.value}, seen) {
					return true
				}
			}
		case *ast.CallExpr:
			if accesses.Copies(types.ExprString(v.Fun)) {
				return true
			}
			if id, ok := ast.Unparen(v.Fun).(*ast.Ident); ok && id.Name == "append" && len(v.Args) > 1 && (f.copiedTo(v.Args[:1], seen) || f.keptOf(v.Args[1:])) {
				return true
			}
		}
	}
	return false
}

// keptOf says whether one of the values is an element of the entry's value, or of a copy
// of it, that a loop has come to: what the loop makes is what is left of the old contents.
func (f *finding) keptOf(values []ast.Expr) bool {
	return slices.ContainsFunc(values, func(v ast.Expr) bool {
		id, ok := ast.Unparen(v).(*ast.Ident)
		if !ok {
			return false
		}
		assigned := f.values.assigns[f.pkg.Info.ObjectOf(id)]
		if len(assigned) != 1 {
			return false
		}
		from := assigned[0].value
		if types.Identical(f.pkg.Info.TypeOf(from), f.pkg.Info.TypeOf(id)) {
			return false // no element of a container
		}
		for range 4 {
			if slice, ok := ast.Unparen(from).(*ast.SliceExpr); ok {
				from = slice.X
			}
			if _, ok := f.values.of(from)[f.entry.Access]; ok {
				return true
			}
			switch e := ast.Unparen(from).(type) {
			case *ast.Ident:
				list := f.values.assigns[f.pkg.Info.ObjectOf(e)]
				if len(list) != 1 {
					return false
				}
				from = list[0].value
			case *ast.CallExpr:
				if !accesses.Copies(types.ExprString(e.Fun)) || len(e.Args) == 0 {
					return false
				}
				from = e.Args[len(e.Args)-1]
			default:
				return false
			}
		}
		return false
	})
}
