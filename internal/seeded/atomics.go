package main

import (
	"go/ast"
	"go/token"
	"go/types"
)

// atomics are the breaks of single atomic operations: CompareAndSwap becomes Load and Store, LoadOrStore
// Load and Store, and what a sync.Once does with a channel is done after a look at it.
func (m *method) atomics() []*seed {
	var list []*seed
	ast.Inspect(m.fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt:
			if s := m.swapped(n); s != nil {
				list = append(list, s)
			}
		case *ast.ExprStmt:
			if s := m.once(n); s != nil {
				list = append(list, s)
			}
		case *ast.AssignStmt:
			if s := m.loadOrStore(n); s != nil {
				list = append(list, s)
			}
		}
		return true
	})
	return list
}

// swapped breaks if !x.f.CompareAndSwap(false, true) { return }, or without the negation.
func (m *method) swapped(test *ast.IfStmt) *seed {
	cond, negated := test.Cond, false
	if not, ok := cond.(*ast.UnaryExpr); ok && not.Op == token.NOT {
		cond, negated = not.X, true
	}
	call, ok := cond.(*ast.CallExpr)
	if !ok || test.Else != nil || test.Init != nil || negated && !ends(test.Body) {
		return nil
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "CompareAndSwap" || len(call.Args) != 2 || !mentions(sel.X, m.receiver) {
		return nil
	}
	x, old, now := types.ExprString(sel.X), types.ExprString(call.Args[0]), types.ExprString(call.Args[1])
	if !simple(call.Args[0]) || !simple(call.Args[1]) {
		return nil
	}
	store := x + ".Store(" + now + ")"
	condition := edit{m.at(test.Cond.Pos()), m.at(test.Cond.End()), x + ".Load() == " + old}
	at := m.at(test.Body.Lbrace) + 1
	if negated {
		condition.text = x + ".Load() != " + old
		at = m.at(test.End())
		store = "; " + store
	} else {
		store = " " + store + "; "
	}
	return m.seed("load-then-store", x, test, test.Cond, condition, edit{at, at, store})
}

// simple says whether the expression can be written twice: a name or a literal.
func simple(e ast.Expr) bool {
	switch x := e.(type) {
	case *ast.Ident, *ast.BasicLit:
		return true
	case *ast.SelectorExpr:
		return simple(x.X)
	}
	return false
}

// once breaks x.once.Do(func() { close(x.ch) }), which may do more.
func (m *method) once(st *ast.ExprStmt) *seed {
	call, ok := st.X.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return nil
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	lit, isLit := call.Args[0].(*ast.FuncLit)
	if !ok || !isLit || sel.Sel.Name != "Do" || !mentions(sel.X, m.receiver) || len(lit.Type.Params.List) != 0 || lit.Type.Results != nil {
		return nil
	}
	var ch ast.Expr
	returns := false
	ast.Inspect(lit.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt, *ast.DeferStmt, *ast.BranchStmt:
			returns = true
		case *ast.CallExpr:
			if id, ok := n.Fun.(*ast.Ident); ok && id.Name == "close" && len(n.Args) == 1 && mentions(n.Args[0], m.receiver) {
				ch = n.Args[0]
			}
		}
		return true
	})
	if ch == nil || returns {
		return nil
	}
	return m.seed("look-then-close", types.ExprString(ch), st, st,
		edit{m.at(st.Pos()), m.at(lit.Body.Lbrace) + 1, "select { case <-" + types.ExprString(ch) + ": default: "},
		edit{m.at(lit.Body.Rbrace), m.at(st.End()), "}"})
}

// loadOrStore breaks v, loaded := x.m.LoadOrStore(k, v).
func (m *method) loadOrStore(set *ast.AssignStmt) *seed {
	if len(set.Rhs) != 1 || len(set.Lhs) != 2 || set.Tok != token.DEFINE {
		return nil
	}
	call, ok := set.Rhs[0].(*ast.CallExpr)
	if !ok || len(call.Args) != 2 || !simple(call.Args[0]) {
		return nil
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "LoadOrStore" || !mentions(sel.X, m.receiver) {
		return nil
	}
	actual, loaded := types.ExprString(set.Lhs[0]), types.ExprString(set.Lhs[1])
	x, key := types.ExprString(sel.X), types.ExprString(call.Args[0])
	text := " := " + x + ".Load(" + key + "); "
	if loaded == "_" {
		loaded = "seeded"
	}
	then := "if !" + loaded + " { " + x + ".Store(" + key + ", "
	from, to := m.at(call.Args[1].Pos()), m.at(call.Args[1].End())
	if actual == "_" {
		return m.seed("sync-map", x, set, set,
			edit{m.at(set.Pos()), from, "_, " + loaded + text + then},
			edit{to, m.at(set.End()), ") }"})
	}
	return m.seed("sync-map", x, set, set,
		edit{m.at(set.Pos()), from, actual + ", " + loaded + text + "if !" + loaded + " { " + actual + " = "},
		edit{to, m.at(set.End()), "; " + x + ".Store(" + key + ", " + actual + ") }"})
}
