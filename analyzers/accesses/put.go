package accesses

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"

	"golang.org/x/tools/go/ast/astutil"
	"golang.org/x/tools/go/types/typeutil"
)

// callee is the function of the package that the call, a copy, calls, and the object whose method it is, nil if it is none;
// the function is nil for calls that nothing can be put in the place of.
func (in *inliner) callee(call *ast.CallExpr) (*types.Func, ast.Expr) {
	if call.Ellipsis.IsValid() {
		return nil, nil
	}
	fun := ast.Unparen(call.Fun)
	first := fun
	if old, ok := in.old[fun].(ast.Expr); ok {
		first = old
	}
	fn, ok := typeutil.Callee(in.info, &ast.CallExpr{Fun: first}).(*types.Func)
	if !ok {
		return nil, nil
	}
	if fn.Signature().Recv() == nil {
		return fn.Origin(), nil
	}
	sel, ok := fun.(*ast.SelectorExpr)
	old, isOld := first.(*ast.SelectorExpr)
	if !ok || !isOld {
		return nil, nil
	}
	if kind := in.info.Selections[old]; kind == nil || kind.Kind() != types.MethodVal || len(kind.Index()) != 1 {
		return nil, nil
	}
	return fn.Origin(), sel.X
}

// placed is a copy of n, which the function called has, in the place of the call: with the positions that at gives.
func (in *inliner) placed(n ast.Node, call *ast.CallExpr, at func(token.Pos) token.Pos) ast.Node {
	from := original(in.old, call)
	if outer := in.put[call]; outer != nil {
		from = outer // by a function that calls this one
	}
	made := in.tree(n)
	ast.Inspect(made, func(n ast.Node) bool {
		if n == nil {
			return false
		}
		in.put[n] = from
		v := reflect.ValueOf(n).Elem()
		for i := range v.NumField() {
			if p, ok := v.Field(i).Interface().(token.Pos); ok && p.IsValid() {
				v.Field(i).Set(reflect.ValueOf(at(p)))
			}
		}
		return true
	})
	return made
}

// within gives positions from first on those of the call, in their order.
func within(call *ast.CallExpr, first token.Pos) func(token.Pos) token.Pos {
	last := call.End() - 1
	return func(p token.Pos) token.Pos { return min(call.Pos()+(p-first), last) }
}

// giving puts what a function is given in the place of its parameters in made, a copy.
func (in *inliner) giving(made ast.Node, given map[types.Object]ast.Expr) ast.Node {
	return astutil.Apply(made, func(c *astutil.Cursor) bool {
		id, ok := c.Node().(*ast.Ident)
		if !ok {
			return true
		}
		if e := given[in.object(id)]; e != nil {
			c.Replace(in.tree(e))
			return false
		}
		return true
	}, nil)
}

// asks says whether the function calls something that can be put in the place of its call.
func (in *inliner) asks(fn *ast.FuncDecl) bool {
	found := false
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && !found {
			a, _ := in.calledAccessor(call)
			s, _, _ := in.calledSurround(call)
			o, _ := in.calledOpener(call)
			found = a != nil || s != nil || o != nil
		}
		return !found
	})
	return found
}
