package main

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// guards are the breaks of a method that holds one lock from its beginning to its end: it takes none, or
// takes it for reading though it writes, releases it before it returns a field, or between a look and a
// send.
func (m *method) guards() []*seed {
	stmts := m.fn.Body.List
	if len(stmts) < 3 {
		return nil
	}
	take, ok := stmts[0].(*ast.ExprStmt)
	if !ok {
		return nil
	}
	mu, reads := m.lockOf(take.X, "Lock"), m.lockOf(take.X, "RLock")
	if mu == "" && reads == "" {
		return nil
	}
	release, lock := "Unlock", mu
	if mu == "" {
		release, lock = "RUnlock", reads
	}
	d, ok := stmts[1].(*ast.DeferStmt)
	if !ok || m.lockOf(d.Call, release) != lock || m.mentionsLock(stmts[2:], lock) {
		return nil
	}
	var list []*seed
	rest := &ast.BlockStmt{List: stmts[2:]}
	without := []edit{{m.at(take.Pos()), m.at(take.End()), ""}, {m.at(d.Pos()), m.at(d.End()), ""}}
	field := m.firstField(rest, lock)
	if field == "" {
		return nil
	}
	list = append(list, m.seed("no-lock", field, stmts[2], stmts[len(stmts)-1], without...))
	if v := m.written(rest.List); v != "" && mu != "" {
		list = append(list, m.seed("read-lock", v, stmts[2], stmts[len(stmts)-1],
			edit{without[0].from, without[0].to, mu + ".RLock()"}, edit{without[1].from, without[1].to, "defer " + mu + ".RUnlock()"}))
	}
	last := stmts[len(stmts)-1]
	if ret, ok := last.(*ast.ReturnStmt); ok && len(stmts) > 3 && len(ret.Results) > 0 && !m.returnsWithin(stmts[2:len(stmts)-1]) && m.firstField(ret, lock) != "" {
		list = append(list, m.seed("released-early", m.firstField(ret, lock), ret, ret,
			without[1], edit{m.at(ret.Pos()), m.at(ret.Pos()), lock + "." + release + "(); "}))
	}
	if s := m.sends(stmts[2:], lock, release, without[1]); s != nil {
		list = append(list, s)
	}
	return list
}

// sends is the break that releases the lock between a look at a field and a send at the end of the method.
func (m *method) sends(stmts []ast.Stmt, lock, release string, deferred edit) *seed {
	last := stmts[len(stmts)-1]
	var before ast.Stmt = last
	if ret, ok := last.(*ast.ReturnStmt); ok && len(stmts) > 1 && m.firstField(ret, lock) == "" {
		before = stmts[len(stmts)-2]
	}
	send := sendIn(before)
	if send == nil || !mentions(send.Chan, m.receiver) {
		return nil
	}
	for i, st := range stmts {
		test, ok := st.(*ast.IfStmt)
		if !ok || test.Else != nil || !ends(test.Body) || len(m.askedBy(stmts[:i], test)) == 0 || m.returnsWithin(stmts[:i]) || m.returnsWithin(stmts[i+1:len(stmts)-1]) {
			continue
		}
		edits := []edit{deferred}
		ast.Inspect(test.Body, func(n ast.Node) bool {
			if ret, ok := n.(*ast.ReturnStmt); ok {
				edits = append(edits, edit{m.at(ret.Pos()), m.at(ret.Pos()), lock + "." + release + "(); "})
			}
			return true
		})
		at := m.at(before.Pos())
		return m.seed("released-before-send", types.ExprString(send.Chan), test, before, append(edits, edit{at, at, lock + "." + release + "(); "})...)
	}
	return nil
}

// sendIn is the send that the statement is, or makes in a select.
func sendIn(st ast.Stmt) *ast.SendStmt {
	switch st := st.(type) {
	case *ast.SendStmt:
		return st
	case *ast.SelectStmt:
		for _, c := range st.Body.List {
			if send, ok := c.(*ast.CommClause).Comm.(*ast.SendStmt); ok {
				return send
			}
		}
	}
	return nil
}

// mentionsLock says whether the lock is named in the statements.
func (m *method) mentionsLock(stmts []ast.Stmt, lock string) bool {
	found := false
	for _, st := range stmts {
		ast.Inspect(st, func(n ast.Node) bool {
			if e, ok := n.(ast.Expr); ok && types.ExprString(e) == lock {
				found = found || lock != m.receiver
			}
			return !found
		})
	}
	return found || lock == m.receiver
}

// returnsWithin says whether one of the statements returns on some way.
func (m *method) returnsWithin(stmts []ast.Stmt) bool {
	return slices.ContainsFunc(stmts, func(st ast.Stmt) bool {
		found := false
		ast.Inspect(st, func(n ast.Node) bool {
			switch n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.ReturnStmt:
				found = true
			}
			return !found
		})
		return found
	})
}

// firstField is the first field of the receiver that the node uses as a value, other than the lock; no method.
func (m *method) firstField(n ast.Node, lock string) string {
	field := ""
	called := map[ast.Expr]bool{}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			called[n.Fun] = true
		case *ast.SelectorExpr:
			if name := types.ExprString(n); field == "" && types.ExprString(n.X) == m.receiver && !called[n] && name != lock {
				field = name
			}
		}
		return field == ""
	})
	return field
}

// written is the first field of the receiver that the statements store in.
func (m *method) written(stmts []ast.Stmt) string {
	var fields []string
	for _, st := range stmts {
		ast.Inspect(st, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok && types.ExprString(sel.X) == m.receiver {
				fields = append(fields, types.ExprString(sel))
			}
			return true
		})
	}
	_, v := m.changes(stmts, fields)
	return v
}

// patterns are the breaks of single statements: an atomic Add that becomes Load and Store, a wait that is
// not repeated, a second look that is left out, and a copy that is not made.
func (m *method) patterns() []*seed {
	var list []*seed
	ast.Inspect(m.fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ExprStmt:
			list = append(list, m.added(n)...)
		case *ast.ForStmt:
			list = append(list, m.waits(n)...)
		case *ast.BlockStmt:
			list = append(list, m.secondLook(n.List)...)
		case *ast.ReturnStmt:
			list = append(list, m.copied(n)...)
		}
		return true
	})
	return list
}

// added breaks x.n.Add(1).
func (m *method) added(st *ast.ExprStmt) []*seed {
	call, ok := st.X.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return nil
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "Add" || !simple(sel.X) || !mentions(sel.X, m.receiver) {
		return nil
	}
	x := types.ExprString(sel.X)
	return []*seed{m.seed("load-then-add", x, st, st, edit{m.at(st.Pos()), m.at(st.End()), x + ".Store(" + x + ".Load() + (" + types.ExprString(call.Args[0]) + "))"})}
}

// waits breaks for condition { c.Wait() }.
func (m *method) waits(loop *ast.ForStmt) []*seed {
	if loop.Cond == nil || loop.Init != nil || loop.Post != nil || len(loop.Body.List) != 1 {
		return nil
	}
	st, ok := loop.Body.List[0].(*ast.ExprStmt)
	if !ok || m.lockOf(st.X, "Wait") == "" {
		return nil
	}
	return []*seed{m.seed("waited-once", types.ExprString(loop.Cond), loop, loop, edit{m.at(loop.For), m.at(loop.For) + len("for"), "if"})}
}

// secondLook breaks the look that is repeated under the lock for writing.
func (m *method) secondLook(stmts []ast.Stmt) []*seed {
	for i, st := range stmts {
		x, ok := st.(*ast.ExprStmt)
		if !ok || m.lockOf(x.X, "Lock") == "" {
			continue
		}
		mu := m.lockOf(x.X, "Lock")
		looked := slices.IndexFunc(stmts[:i], func(st ast.Stmt) bool {
			x, ok := st.(*ast.ExprStmt)
			return ok && (m.lockOf(x.X, "RLock") == mu || m.lockOf(x.X, "Lock") == mu)
		})
		if looked < 0 {
			continue
		}
		for j, again := range stmts[i+1:] {
			test, ok := again.(*ast.IfStmt)
			if !ok || test.Else != nil || test.Init == nil || !ends(test.Body) {
				continue
			}
			asked := m.askedBy(nil, test)
			if act, v := m.changes(stmts[i+2+j:], asked); act != nil {
				return []*seed{m.seed("no-second-look", v, stmts[looked], act,
					edit{m.at(test.Pos()), m.at(test.Pos()), "/* "}, edit{m.at(test.End()), m.at(test.End()), " */"})}
			}
		}
	}
	return nil
}

// copied breaks return slices.Clone(x.f), maps.Clone(x.f), and append([]T(nil), x.f...).
func (m *method) copied(ret *ast.ReturnStmt) []*seed {
	for _, r := range ret.Results {
		call, ok := r.(*ast.CallExpr)
		if !ok || len(call.Args) == 0 {
			continue
		}
		from := call.Args[len(call.Args)-1]
		sel, isField := from.(*ast.SelectorExpr)
		if !isField || types.ExprString(sel.X) != m.receiver {
			continue
		}
		switch name := types.ExprString(call.Fun); {
		case name == "slices.Clone", name == "maps.Clone", name == "append" && call.Ellipsis != token.NoPos && !mentions(call.Args[0], m.receiver):
			return []*seed{m.seed("not-copied", types.ExprString(from), ret, ret, edit{m.at(call.Pos()), m.at(call.End()), types.ExprString(from)})}
		}
	}
	return nil
}
