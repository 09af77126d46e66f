package section

import (
	"go/ast"
	"go/token"
	"go/types"
)

// madeWith is what stands for a field of a local that the body has made since, as key does
// for e.key after e := newEntry(key) or e := &entry{key: key}; nil if that is not known.
func (s *search) madeWith(st *bodyState, local *ast.Ident, field string, at token.Pos) ast.Expr {
	list := st.values.assigns[s.pkg.Info.ObjectOf(local)]
	for i := len(list) - 1; i >= 0; i-- {
		if d := list[i]; d.at <= at {
			if d.from <= at && at < d.to {
				return s.initialValue(d.value, field)
			}
			return nil
		}
	}
	return nil
}

// initialValue is what the value, a new object, has in the field.
func (s *search) initialValue(value ast.Expr, field string) ast.Expr {
	value = ast.Unparen(value)
	if u, ok := value.(*ast.UnaryExpr); ok && u.Op == token.AND {
		value = ast.Unparen(u.X)
	}
	switch value := value.(type) {
	case *ast.CompositeLit:
		for _, el := range value.Elts {
			if kv, ok := el.(*ast.KeyValueExpr); ok {
				if id, ok := kv.Key.(*ast.Ident); ok && id.Name == field {
					return kv.Value
				}
			}
		}
	case *ast.CallExpr:
		fn := s.locks.Callee(value)
		b := s.pkg.ByFunc[fn]
		if b == nil || len(b.Block.List) != 1 {
			return nil
		}
		ret, ok := b.Block.List[0].(*ast.ReturnStmt)
		if !ok || len(ret.Results) == 0 {
			return nil
		}
		if _, again := ast.Unparen(ret.Results[0]).(*ast.CallExpr); again {
			return nil
		}
		param, ok := s.initialValue(ret.Results[0], field).(*ast.Ident)
		if !ok {
			return nil
		}
		if v, ok := s.pkg.Info.ObjectOf(param).(*types.Var); ok {
			return s.locks.Argument(value, fn, v)
		}
	}
	return nil
}
