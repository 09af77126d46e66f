package section

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// firstNode says whether v is the first node of a list or tree, made of what the function was given:
//
//	if q.head == nil {
//		q.mu.Lock(); q.head = &node{item: item}; q.mu.Unlock()
//		return
//	}
//
// Of two that find the list empty one loses what it was given, although the nodes look alike.
func (f *finding) firstNode(v ast.Expr) bool {
	if f.entry.Key != nil {
		return false
	}
	if id, ok := ast.Unparen(v).(*ast.Ident); ok {
		list := f.values.assigns[f.pkg.Info.ObjectOf(id)]
		if len(list) != 1 {
			return false
		}
		v = list[0].value
	}
	addr, ok := ast.Unparen(v).(*ast.UnaryExpr)
	if !ok || addr.Op != token.AND {
		return false
	}
	lit, ok := ast.Unparen(addr.X).(*ast.CompositeLit)
	return ok && linksItself(f.pkg.Info.TypeOf(addr)) && slices.ContainsFunc(lit.Elts, func(el ast.Expr) bool {
		if kv, ok := el.(*ast.KeyValueExpr); ok {
			el = kv.Value
		}
		id, ok := ast.Unparen(el).(*ast.Ident)
		return ok && f.isParameter(id)
	})
}

// linksItself says whether t points to a struct that has pointers to others of its kind, or slices of them.
func linksItself(t types.Type) bool {
	p, ok := t.(*types.Pointer)
	if !ok {
		return false
	}
	node, ok := p.Elem().Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for field := range node.Fields() {
		if types.Identical(field.Type(), t) {
			return true
		}
		if list, ok := field.Type().Underlying().(*types.Slice); ok && types.Identical(list.Elem(), t) {
			return true
		}
	}
	return false
}
