package section

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// reckoned says whether v is what the entry has read and something more: a sum, a slice
// with elements appended, or a struct of which a field is such. It may be in a local.
func (f *finding) reckoned(v ast.Expr) bool {
	switch v := ast.Unparen(v).(type) {
	case *ast.BinaryExpr:
		return f.isSum(v)
	case *ast.CallExpr:
		return f.appendsTo(v)
	case *ast.CompositeLit:
		for _, el := range v.Elts {
			if kv, ok := el.(*ast.KeyValueExpr); ok {
				el = kv.Value
			}
			if sum, ok := ast.Unparen(el).(*ast.BinaryExpr); ok && f.isSum(sum) && isNumeric(f.pkg.Info.TypeOf(sum)) {
				return true
			}
		}
	case *ast.Ident:
		_, mine := f.values.of(v)[f.entry.Access]
		return mine && f.addedTo(f.pkg.Info.ObjectOf(v))
	}
	return false
}

// isSum says whether an operand of the sum or difference comes from the entry.
func (f *finding) isSum(b *ast.BinaryExpr) bool {
	return (b.Op == token.ADD || b.Op == token.SUB) && (f.fromEntry(b.X) || f.fromEntry(b.Y))
}

func (f *finding) fromEntry(e ast.Expr) bool {
	_, mine := f.values.of(e)[f.entry.Access]
	return mine
}

// appendsTo says whether the call appends elements to a slice that comes from the entry.
func (f *finding) appendsTo(call *ast.CallExpr) bool {
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok || len(call.Args) < 2 {
		return false
	}
	b, ok := f.pkg.Info.Uses[id].(*types.Builtin)
	return ok && b.Name() == "append" && f.fromEntry(call.Args[0])
}

// addedTo says whether the body adds to the local, or takes away from it: to a number, a
// slice, or a field of a struct.
func (f *finding) addedTo(local types.Object) bool {
	isLocal := func(e ast.Expr) bool {
		if sel, ok := ast.Unparen(e).(*ast.SelectorExpr); ok {
			if _, isStruct := local.Type().Underlying().(*types.Struct); isStruct {
				e = sel.X
			}
		}
		return f.isObject(e, local)
	}
	found := false
	ast.Inspect(f.body.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.IncDecStmt:
			found = found || isLocal(n.X)
		case *ast.AssignStmt:
			if len(n.Lhs) != 1 || len(n.Rhs) != 1 || !isLocal(n.Lhs[0]) || found {
				return !found
			}
			switch x := ast.Unparen(n.Rhs[0]).(type) {
			case *ast.BinaryExpr:
				found = f.isSum(x) && isNumeric(f.pkg.Info.TypeOf(x))
			case *ast.CallExpr:
				found = f.appendsTo(x)
			}
			found = found || (n.Tok == token.ADD_ASSIGN || n.Tok == token.SUB_ASSIGN) && isNumeric(f.pkg.Info.TypeOf(n.Lhs[0]))
		}
		return !found
	})
	return found
}

func isNumeric(t types.Type) bool {
	if t == nil {
		return false // an expression with a type error
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsNumeric != 0
}

// reckonsOn says whether the end stores a number that is the sum of the one that the entry has
// read, or of what has become of it, and of something else.
func (f *finding) reckonsOn(end *hit) bool {
	values := stored(end.Access)
	if end.via != nil {
		values = end.stores
	}
	return slices.ContainsFunc(values, func(v ast.Expr) bool {
		if t := f.pkg.Info.TypeOf(v); t == nil || !isNumeric(t) {
			return false
		}
		sums := []ast.Expr{v}
		if id, ok := ast.Unparen(v).(*ast.Ident); ok {
			for _, d := range f.values.assigns[f.pkg.Info.ObjectOf(id)] {
				sums = append(sums, d.value)
			}
		}
		return slices.ContainsFunc(sums, func(e ast.Expr) bool {
			sum, ok := ast.Unparen(e).(*ast.BinaryExpr)
			return ok && f.isSum(sum)
		})
	})
}
