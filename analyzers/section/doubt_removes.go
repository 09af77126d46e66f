package section

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/internal/pattern"
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
			return !f.removes(call) && !f.asksOnly(call) && !f.endsHarmlessly(call)
		case accesses.OnAccess:
			return ev.Access.Mode == atomicity.Write && ev.Access.Method != "Delete" && ev.Access.Method != "delete"
		case accesses.OnGo, accesses.OnDefer, accesses.OnSend, accesses.OnReceive:
			return true
		}
		return false
	})
}

// endsHarmlessly says whether the call is of a method of what was found, or of a function that
// a field of it holds, which ends it in a way that can be done twice: it stops timers, sets
// flags, wakes who waits.
func (f *finding) endsHarmlessly(call *ast.CallExpr) bool {
	bodies := f.heldIn(call)
	if b := f.pkg.ByFunc[f.locks.Callee(call)]; b != nil && b.Func != nil && b.Func.Signature().Recv() != nil {
		bodies = []*accesses.Body{b}
	}
	return len(bodies) > 0 && !slices.ContainsFunc(bodies, func(b *accesses.Body) bool { return !f.repeats(b) })
}

// repeats says whether what the body does can be done twice.
func (f *finding) repeats(b *accesses.Body) bool {
	for _, events := range b.Events {
		for _, ev := range events {
			switch ev.Kind {
			case accesses.OnGo, accesses.OnSend, accesses.OnReceive:
				return false
			case accesses.OnCall:
				name := types.ExprString(ev.Node.(*ast.CallExpr).Fun)
				if !repeatedly.MatchString(name[strings.LastIndexByte(name, '.')+1:]) {
					return false
				}
			case accesses.OnAccess:
				if w := ev.Access; w.Mode == atomicity.Write && (w.Update != nil || len(stored(w)) != 1 || f.pkg.Info.Types[stored(w)[0]].Value == nil) {
					return false
				}
			}
		}
	}
	return true
}

// heldIn are the literals that the field holds which is called, if the package stores nothing
// else in it.
func (f *finding) heldIn(call *ast.CallExpr) []*accesses.Body {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	field, ok := f.pkg.Info.Uses[sel.Sel].(*types.Var)
	if !ok || !field.IsField() || field.Pkg() != f.pkg.Types || field.Exported() {
		return nil
	}
	var bodies []*accesses.Body
	known := true
	store := func(to *ast.Ident, value ast.Expr) {
		if v, ok := f.pkg.Info.Uses[to].(*types.Var); !ok || v.Origin() != field.Origin() {
			return
		}
		if b := f.pkg.ByNode[ast.Unparen(value)]; b != nil {
			bodies = append(bodies, b)
		} else if !f.pkg.Info.Types[value].IsNil() {
			known = false
		}
	}
	for _, file := range f.pkg.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CompositeLit:
				st, ok := f.pkg.Info.TypeOf(n).Underlying().(*types.Struct)
				for i, e := range n.Elts {
					if kv, keyed := e.(*ast.KeyValueExpr); !keyed {
						known = known && !(ok && i < st.NumFields() && st.Field(i).Origin() == field.Origin())
					} else if key, isIdent := kv.Key.(*ast.Ident); isIdent && ok {
						store(key, kv.Value)
					}
				}
			case *ast.AssignStmt:
				for i, l := range n.Lhs {
					if x, ok := ast.Unparen(l).(*ast.SelectorExpr); ok {
						store(x.Sel, n.Rhs[min(i, len(n.Rhs)-1)])
					}
				}
			case *ast.UnaryExpr:
				if x, ok := ast.Unparen(n.X).(*ast.SelectorExpr); ok && n.Op == token.AND && f.pkg.Info.Uses[x.Sel] == types.Object(field) {
					known = false
				}
			}
			return known
		})
	}
	if !known {
		return nil
	}
	return bodies
}

// repeatedly are the names of functions that can be called twice.
var repeatedly = pattern.New(`^(Stop|Broadcast|Signal|Lock|Unlock|RLock|RUnlock|Load|Store|Reset|[cC]ancel(Func)?)$`)

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

// whereMissing says whether control comes to the end only where the entry, v, ok := m.Load(k),
// has found nothing: nothing that it found is in what is stored then.
func (f *finding) whereMissing(end *hit) bool {
	assign, ok := f.entry.Stmt.(*ast.AssignStmt)
	if !ok || len(assign.Lhs) != 2 || len(assign.Rhs) != 1 || ast.Unparen(assign.Rhs[0]) != f.entry.Expr {
		return false
	}
	id, ok := assign.Lhs[1].(*ast.Ident)
	if !ok || id.Name == "_" {
		return false
	}
	for block, conds := range f.body.Conds {
		decides, edge := f.decides(block, end.block)
		if !decides || len(conds) != 1 {
			continue
		}
		cond, missing := ast.Unparen(conds[0]), 1
		if not, isNot := cond.(*ast.UnaryExpr); isNot && not.Op == token.NOT {
			cond, missing = ast.Unparen(not.X), 0
		}
		if x, isIdent := cond.(*ast.Ident); isIdent && edge == missing && f.pkg.Info.ObjectOf(x) == f.pkg.Info.ObjectOf(id) {
			return true
		}
	}
	return false
}
