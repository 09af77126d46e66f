package section

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// renumbers says whether the store begins a series of numbers anew that the function gives out, once the
// variable was found too large:
//
//	if atomic.LoadInt64(&c.next) < limit {
//		id = atomic.AddInt64(&c.next, 1)
//	} else {
//		atomic.StoreInt64(&c.next, 1)
//	}
//
// Two goroutines that find the end of it both begin anew, and the second gives out again what was given
// out in between. An index modulo some length may come twice.
func (f *finding) renumbers(end *hit) bool {
	if f.entry.via != nil || end.via != nil || end.Mode != atomicity.Write || end.Kind != access.Atomic || adds(end.Access) || !f.ordered() {
		return false
	}
	values := stored(end.Access)
	if len(values) != 1 || !f.isConstant(values[0]) {
		return false
	}
	for _, o := range f.order {
		if o.Var == f.entry.Var && o.via == nil && o.Kind == access.Atomic && adds(o.Access) && o.place == f.entry.place && f.givenAsNumber(o.Expr) {
			return true
		}
	}
	return false
}

// ordered says whether a test on the way asks if the value read is less than another.
func (f *finding) ordered() bool {
	found := false
	for _, test := range f.trail.tests {
		for _, cond := range f.body.Conds[test] {
			b, ok := ast.Unparen(cond).(*ast.BinaryExpr)
			if !ok {
				continue
			}
			switch b.Op {
			case token.LSS, token.GTR, token.LEQ, token.GEQ:
				found = found || f.is(b.X, f.entry.Access) || f.is(b.Y, f.entry.Access)
			}
		}
	}
	return found
}

// isConstant says whether the value is a constant, or a local that is one by then.
func (f *finding) isConstant(e ast.Expr) bool {
	if f.pkg.Info.Types[e].Value != nil {
		return true
	}
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := f.pkg.Info.Uses[id].(*types.Var)
	if !ok {
		return false
	}
	list, whole := f.values.reaching(v, e.Pos())
	for _, d := range list {
		whole = whole && (f.pkg.Info.Types[d.value].Value != nil || f.adding(d.value)) // of the other branch, which numbers on
	}
	return whole && len(list) > 0
}

// adding says whether e is an addition to the very variable.
func (f *finding) adding(e ast.Expr) bool {
	return slices.ContainsFunc(f.order, func(o *occurrence) bool {
		return o.via == nil && o.Var == f.entry.Var && adds(o.Access) && ast.Unparen(o.Expr) == ast.Unparen(e)
	})
}

// givenAsNumber says whether the result of the addition is kept or returned as it is.
func (f *finding) givenAsNumber(sum ast.Node) bool {
	given := false
	ast.Inspect(f.body.Block, func(n ast.Node) bool {
		var list []ast.Expr
		switch n := n.(type) {
		case *ast.AssignStmt:
			list = n.Rhs
		case *ast.ReturnStmt:
			list = n.Results
		}
		for _, e := range list {
			if call, ok := ast.Unparen(e).(*ast.CallExpr); ok && len(call.Args) == 1 && f.pkg.Info.Types[call.Fun].IsType() {
				e = call.Args[0] // a conversion
			}
			given = given || ast.Unparen(e) == sum
		}
		return !given
	})
	return given
}
