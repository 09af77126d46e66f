package section

import (
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/atomicity/access"
)

// innerMap is the expression m[k] that a local stands for: a map that is itself the
// entry of another one, which the local was given, or which was made for the lack of one
// and stored there. It is nil where the local may be something else.
func (st *bodyState) innerMap(e ast.Expr) *ast.IndexExpr {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return nil
	}
	v := st.values
	obj := v.pkg.Info.ObjectOf(id)
	if obj == nil {
		return nil
	}
	if _, isMap := obj.Type().Underlying().(*types.Map); !isMap {
		return nil
	}
	var entry *ast.IndexExpr
	fresh := false
	for _, d := range v.assigns[obj] {
		switch value := ast.Unparen(d.value).(type) {
		case *ast.IndexExpr:
			if entry != nil && types.ExprString(entry) != types.ExprString(value) {
				return nil
			}
			if _, ofMap := v.underlying(value.X).(*types.Map); !ofMap {
				return nil
			}
			entry = value
		case *ast.CallExpr:
			if made, ok := ast.Unparen(value.Fun).(*ast.Ident); !ok || made.Name != "make" {
				return nil
			}
			fresh = true
		case *ast.CompositeLit:
			fresh = true
		default:
			return nil
		}
	}
	if entry == nil || fresh && !st.putInto(obj, entry) {
		return nil
	}
	return entry
}

// putInto says whether the body stores the local as that entry of a map.
func (st *bodyState) putInto(local types.Object, entry *ast.IndexExpr) bool {
	found := false
	ast.Inspect(st.body.Fn.Node, func(n ast.Node) bool {
		assign, ok := n.(*ast.AssignStmt)
		if !ok || len(assign.Lhs) != len(assign.Rhs) {
			return !found
		}
		for i, l := range assign.Lhs {
			id, named := ast.Unparen(assign.Rhs[i]).(*ast.Ident)
			found = found || named && st.values.pkg.Info.ObjectOf(id) == local && types.ExprString(l) == types.ExprString(entry)
		}
		return !found
	})
	return found
}

// inner is the access to an entry of a map that is itself the entry m[k] of another one,
// put in terms of m[k] where a local stands for that; nil for any other access, and
// where no lock is held: then it is the map that has escaped.
func (st *bodyState) inner(a *access.Access, held locks.Set) *access.Access {
	if a.Kind != access.MapElement || !held.Any() {
		return nil
	}
	entry := st.innerMap(a.Cell)
	if entry == nil {
		return nil
	}
	for _, read := range st.values.reads[entry] {
		if read.Kind != access.MapElement {
			continue
		}
		in := *a
		in.Var, in.Cell, in.Base = read.Var, entry, read.Base
		for i, r := range st.values.reads[a.Expr] {
			if r == a {
				st.values.reads[a.Expr][i] = &in
			}
		}
		return &in
	}
	return nil
}
