package section

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// endsOld says whether the condition does no more than choose what becomes of the value that
// o replaces: if x != nil { x.Close() }; x = y. Control comes to o either way, and stores
// what it would have stored.
func (st *bodyState) endsOld(cond ast.Expr, o *occurrence) bool {
	branch := st.branchOf(cond)
	if branch == nil || branch.Else != nil || branch.Body.Pos() < o.Pos() && o.Pos() < branch.Body.End() {
		return false
	}
	values := stored(o.Access)
	if len(values) != 1 || o.via != nil || !comparesWithNil(st.values.pkg.Info, branch.Cond) {
		return false
	}
	changed := map[types.Object]bool{}
	only := true
	ast.Inspect(branch.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.GoStmt:
			return false
		case *ast.ReturnStmt, *ast.BranchStmt:
			only = false
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				if id, ok := ast.Unparen(l).(*ast.Ident); ok {
					changed[st.values.pkg.Info.ObjectOf(id)] = true
				}
			}
		case *ast.CallExpr:
			if id, ok := ast.Unparen(n.Fun).(*ast.Ident); ok && id.Name == "panic" {
				only = false
			}
		}
		return only
	})
	ast.Inspect(values[0], func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && changed[st.values.pkg.Info.ObjectOf(id)] {
			only = false
		}
		return only
	})
	return only
}

// branchOf is the if statement whose condition, or a part of it, cond is.
func (st *bodyState) branchOf(cond ast.Expr) *ast.IfStmt {
	var found *ast.IfStmt
	ast.Inspect(st.body.Block, func(n ast.Node) bool {
		if branch, ok := n.(*ast.IfStmt); ok && branch.Cond.Pos() <= cond.Pos() && cond.End() <= branch.Cond.End() {
			found = branch
		}
		return found == nil
	})
	return found
}

// comparesWithNil says whether all that the condition asks is whether something is there:
// x != nil && *x != nil.
func comparesWithNil(info *types.Info, cond ast.Expr) bool {
	b, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	switch {
	case !ok:
		return false
	case b.Op == token.LAND:
		return comparesWithNil(info, b.X) && comparesWithNil(info, b.Y)
	}
	return b.Op == token.NEQ && info.Types[b.Y].IsNil()
}

// replaces says whether o is a Swap by which the body puts a value in the place of another
// one whatever that was: its result is dropped, or ended at most.
func (st *bodyState) replaces(o *occurrence) bool {
	if o.Mode != atomicity.Write || o.Kind != access.Atomic || !strings.HasPrefix(o.Method, "Swap") || o.via != nil {
		return false
	}
	call, ok := o.Expr.(*ast.CallExpr)
	if !ok {
		return false
	}
	if stmt, dropped := o.Stmt.(*ast.ExprStmt); dropped {
		return ast.Unparen(stmt.X) == ast.Expr(call)
	}
	if len(st.values.taken[call]) != 1 {
		return false
	}
	id, ok := st.values.taken[call][0].(*ast.Ident)
	if !ok {
		return false
	}
	old := st.values.pkg.Info.ObjectOf(id)
	only := true
	ast.Inspect(st.body.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt:
			if mentionsObject(st.values.pkg.Info, n.Cond, old) {
				only = only && st.endsOld(n.Cond, o)
			}
		case *ast.ReturnStmt, *ast.SwitchStmt, *ast.ForStmt, *ast.AssignStmt:
			if assign, ok := n.(*ast.AssignStmt); ok && ast.Unparen(assign.Rhs[0]) == ast.Expr(call) {
				return true
			}
			if stmt, ok := n.(ast.Stmt); ok && leaks(st.values.pkg.Info, stmt, old) {
				only = false
			}
		}
		return only
	})
	return only
}

// leaks says whether the statement hands on or decides by the object.
func leaks(info *types.Info, stmt ast.Stmt, obj types.Object) bool {
	var parts []ast.Expr
	switch stmt := stmt.(type) {
	case *ast.ReturnStmt:
		parts = stmt.Results
	case *ast.AssignStmt:
		parts = stmt.Rhs
	case *ast.SwitchStmt:
		parts = []ast.Expr{stmt.Tag}
	case *ast.ForStmt:
		parts = []ast.Expr{stmt.Cond}
	}
	for _, e := range parts {
		if e != nil && mentionsObject(info, e, obj) {
			return true
		}
	}
	return false
}

func mentionsObject(info *types.Info, e ast.Expr, obj types.Object) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && info.ObjectOf(id) == obj {
			found = true
		}
		return !found
	})
	return found
}
