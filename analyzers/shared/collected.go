package shared

import (
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
)

// A list that a function makes for itself may hold what others have too, as the copy of a
// list does that is made under a lock and walked through without it.

// collected notes what the assignment of value to l puts into a local list: append(l, x),
// append(l, list...), l[i] = x.
func (r *Result) collected(b *accesses.Body, l, value ast.Expr) {
	if x, ok := ast.Unparen(l).(*ast.IndexExpr); ok {
		if id, ok := ast.Unparen(x.X).(*ast.Ident); ok {
			r.keeps(r.pkg.Info.ObjectOf(id), r.member(b, value))
		}
		return
	}
	id, ok := ast.Unparen(l).(*ast.Ident)
	if !ok {
		return
	}
	r.keeps(r.pkg.Info.ObjectOf(id), r.kept(b, value, 0))
}

// member is the reach of what is put into a list, which is no more than that of an element
// of a list that is shared.
func (r *Result) member(b *accesses.Body, e ast.Expr) Reach {
	if !isPointerLike(r.pkg.Info.TypeOf(e)) {
		return None
	}
	return min(r.ofExpr(b, e, 0), Listed)
}

// keeps raises what the list that obj holds, or the function obj returns, has for elements.
func (r *Result) keeps(obj types.Object, x Reach) {
	if obj == nil || r.members[obj] >= x {
		return
	}
	if v, ok := obj.(*types.Var); ok && v.IsField() {
		return
	}
	r.members[obj] = x
	r.listed = true
}

// kept is the reach of the elements of the local list that e is, or that the call e returns,
// as far as it is known from what was put in.
func (r *Result) kept(b *accesses.Body, e ast.Expr, depth int) Reach {
	if depth > 20 {
		return None
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if obj := r.pkg.Info.ObjectOf(e); obj != nil {
			return r.members[obj]
		}
	case *ast.SliceExpr:
		return r.kept(b, e.X, depth+1)
	case *ast.CallExpr:
		if r.isAppend(e) {
			x := r.kept(b, e.Args[0], depth+1)
			for i, a := range e.Args[1:] {
				if e.Ellipsis.IsValid() && i == len(e.Args)-2 {
					x = max(x, r.element(b, a, depth+1))
				} else {
					x = max(x, r.member(b, a))
				}
			}
			return x
		}
		if fn := r.locks.Callee(e); fn != nil && r.pkg.ByFunc[fn] != nil {
			return r.members[fn]
		}
	}
	return None
}

func (r *Result) isAppend(call *ast.CallExpr) bool {
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok || len(call.Args) == 0 {
		return false
	}
	bi, ok := r.pkg.Info.Uses[id].(*types.Builtin)
	return ok && bi.Name() == "append"
}

// furtherResults raises the results of the function after the first to what the statement
// returns.
func (r *Result) furtherResults(b *accesses.Body, ret *ast.ReturnStmt, raise func(types.Object, Reach)) {
	results := b.Func.Signature().Results()
	for i := 1; i < results.Len(); i++ {
		switch {
		case i < len(ret.Results):
			raise(results.At(i), r.ofExpr(b, ret.Results[i], 0))
			r.keeps(results.At(i), r.kept(b, ret.Results[i], 0))
		case len(ret.Results) == 1: // return f()
			if res := r.resultOf(ret.Results[0], i); res != nil {
				raise(results.At(i), r.reach[res])
				r.keeps(results.At(i), r.members[res])
			}
		}
	}
}

// resultOf is a result after the first, if there is one, of the function of this package that e
// calls; or nil.
func (r *Result) resultOf(e ast.Expr, i int) types.Object {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return nil
	}
	b := r.pkg.ByFunc[r.locks.Callee(call)]
	if b == nil || i < 1 || i >= b.Func.Signature().Results().Len() {
		return nil
	}
	return b.Func.Signature().Results().At(i)
}
