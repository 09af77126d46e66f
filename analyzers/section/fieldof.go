package section

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// fieldOf is a field of a local.
type fieldOf struct {
	of   types.Object
	name string
}

// field traces what a field of a local struct holds which the body has made: what was
// assigned to the field last, or what the struct was made with.
//
//	req := request{ID: c.seq + 1}
//	c.seq = req.ID
func (v *values) field(sel *ast.SelectorExpr, at token.Pos, plain bool, depth int, into sources) {
	id, ok := ast.Unparen(sel.X).(*ast.Ident)
	if !ok || !plain || depth > 6 {
		return
	}
	obj := v.pkg.Info.ObjectOf(id)
	if !v.isOwn(obj) {
		return
	}
	at = v.pkg.Order(at)
	if !v.goesTo(tracedTo{obj, sel.Sel.Name, at, plain}, depth) {
		return
	}
	list := slices.Concat(v.assigns[obj], v.parts[fieldOf{obj, sel.Sel.Name}])
	slices.SortStableFunc(list, func(a, b assignment) int { return int(b.at - a.at) })
	for _, d := range list {
		if d.at > at {
			continue
		}
		value := d.value
		if slices.Contains(v.assigns[obj], d) {
			value = v.madeOf(d.value, sel.Sel.Name)
		}
		if value != nil {
			v.trace(value, value.Pos(), d.plain, depth+2, into)
		}
		if !d.onto && d.from <= at && at < d.to {
			return
		}
	}
}

// madeOf is what the literal of a struct, or of a pointer to one, gives the field; or nil.
func (v *values) madeOf(e ast.Expr, field string) ast.Expr {
	e = ast.Unparen(e)
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND {
		e = ast.Unparen(u.X)
	}
	lit, ok := e.(*ast.CompositeLit)
	if !ok {
		return nil
	}
	st, ok := v.underlying(lit).(*types.Struct)
	if !ok {
		return nil
	}
	for i, el := range lit.Elts {
		if kv, ok := el.(*ast.KeyValueExpr); ok {
			if id, ok := kv.Key.(*ast.Ident); ok && id.Name == field {
				return kv.Value
			}
		} else if i < st.NumFields() && st.Field(i).Name() == field {
			return el
		}
	}
	return nil
}
