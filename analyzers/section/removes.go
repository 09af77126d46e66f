package section

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
)

// onlyRemoves says whether all that is done where something was found is to delete it,
// and what goes with it, from maps: whoever comes second finds nothing more to delete.
func (f *finding) onlyRemoves(end *hit) bool {
	value := f.foundValue()
	if value == nil || f.entry.via != nil || end.via != nil || f.handsOut(f.madeOf(value)) {
		return false
	}
	return !f.inBranch(end, func(ev accesses.Event) bool {
		switch ev.Kind {
		case accesses.OnCall:
			call := ev.Node.(*ast.CallExpr)
			return !f.removes(call) && !f.asksOnly(call)
		case accesses.OnAccess:
			return ev.Access.Mode == atomicity.Write && ev.Access.Method != "Delete" && ev.Access.Method != "delete"
		case accesses.OnGo, accesses.OnDefer, accesses.OnSend, accesses.OnReceive:
			return true
		}
		return false
	})
}

// removes says whether the call deletes an entry of a map.
func (f *finding) removes(call *ast.CallExpr) bool {
	for _, o := range f.order {
		if o.Mode == atomicity.Write && o.via == nil && ast.Unparen(o.Expr) == ast.Expr(call) {
			return o.Method == "Delete" || o.Method == "delete"
		}
	}
	return false
}

// asksOnly says whether the call is of a function that computes something, and of one
// that looks into a map.
func (f *finding) asksOnly(call *ast.CallExpr) bool {
	if tv, ok := f.pkg.Info.Types[call.Fun]; ok && tv.IsType() {
		return true
	}
	for _, a := range f.values.reads[call] {
		return a.Mode == atomicity.Read && a.Method == "Load"
	}
	fn := f.locks.Callee(call)
	return fn != nil && fn.Pkg() != nil && slices.Contains(calculating, fn.Pkg().Path())
}

// madeOf are the locals that are set to v, or to a part of it.
func (f *finding) madeOf(v types.Object) []types.Object {
	made := []types.Object{v}
	for obj, list := range f.values.assigns {
		for _, d := range list {
			if obj != v && f.mentions(d.value, v) {
				made = append(made, obj)
			}
		}
	}
	return made
}

// handsOut says whether the body returns, stores or sends one of the locals.
func (f *finding) handsOut(locals []types.Object) bool {
	found := false
	names := func(e ast.Expr) {
		for _, v := range locals {
			found = found || f.mentions(e, v)
		}
	}
	ast.Inspect(f.body.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ReturnStmt:
			for _, e := range n.Results {
				names(e)
			}
		case *ast.SendStmt:
			names(n.Value)
		case *ast.AssignStmt:
			for i, l := range n.Lhs {
				if _, local := ast.Unparen(l).(*ast.Ident); !local {
					names(n.Rhs[min(i, len(n.Rhs)-1)])
				}
			}
		}
		return !found
	})
	return found
}
