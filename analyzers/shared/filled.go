package shared

import (
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
)

// findFilled finds the locals and parameters that methods fill with copies of what their
// receivers hold: dst.name = x.name; dst.size = x.size. Such an object is the copy that is
// being made, which nobody else has yet, whatever lock of the original is held.
func (r *Result) findFilled() {
	for _, b := range r.pkg.Bodies {
		if b.Func == nil || b.Func.Signature().Recv() == nil {
			continue
		}
		recv := b.Func.Signature().Recv()
		tn := accesses.TypeName(recv.Type())
		copied := map[*types.Var]map[types.Object]bool{}
		ast.Inspect(b.Block, func(n ast.Node) bool {
			assign, ok := n.(*ast.AssignStmt)
			if !ok || len(assign.Lhs) != len(assign.Rhs) {
				return true
			}
			for i, l := range assign.Lhs {
				into, field := r.fieldOf(l)
				if into == nil || into == recv || accesses.IsGlobal(into) || tn == nil || accesses.TypeName(into.Type()) != tn || !r.mentionsField(assign.Rhs[i], recv, field) {
					continue
				}
				if copied[into] == nil {
					copied[into] = map[types.Object]bool{}
				}
				copied[into][field] = true
			}
			return true
		})
		for into, fields := range copied {
			if len(fields) > 1 && r.givenToFill(b, into) {
				r.filled[into] = true
			}
		}
	}
}

// fieldOf is the variable that the expression is a field of, and the field.
func (r *Result) fieldOf(e ast.Expr) (*types.Var, types.Object) {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok {
		return nil, nil
	}
	id, ok := ast.Unparen(sel.X).(*ast.Ident)
	if !ok {
		return nil, nil
	}
	v, _ := r.pkg.Info.Uses[id].(*types.Var)
	return v, r.pkg.Info.Uses[sel.Sel]
}

// mentionsField says whether the expression uses the field of the variable.
func (r *Result) mentionsField(e ast.Expr, of *types.Var, field types.Object) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if x, ok := n.(ast.Expr); ok && !found {
			v, f := r.fieldOf(x)
			found = v == of && f == field
		}
		return !found
	})
	return found
}

// givenToFill says whether the variable is a parameter of the body, or a local that is
// declared with one, perhaps by a type assertion, and nothing takes a lock of the object.
func (r *Result) givenToFill(b *accesses.Body, v *types.Var) bool {
	given := r.isParam(b, v)
	ast.Inspect(b.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			id, ok := n.Lhs[0].(*ast.Ident)
			if !ok || r.pkg.Info.ObjectOf(id) != types.Object(v) {
				break
			}
			e := ast.Unparen(n.Rhs[0])
			if assert, ok := e.(*ast.TypeAssertExpr); ok {
				e = ast.Unparen(assert.X)
			}
			from, ok := e.(*ast.Ident)
			param, _ := r.pkg.Info.ObjectOf(from).(*types.Var)
			given = ok && r.pkg.Info.Defs[id] != nil && r.isParam(b, param)
		}
		return true
	})
	if !given {
		return false
	}
	for _, events := range b.Events {
		for _, ev := range events {
			for _, op := range r.locks.Ops(ev) {
				if op.Lock.Root == types.Object(v) {
					return false
				}
			}
		}
	}
	return true
}

// isParam says whether the variable is a parameter of the body.
func (r *Result) isParam(b *accesses.Body, v *types.Var) bool {
	if v == nil {
		return false
	}
	for param := range b.Func.Signature().Params().Variables() {
		if param == v {
			return true
		}
	}
	return false
}
