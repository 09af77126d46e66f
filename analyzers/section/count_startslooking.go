package section

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// startsLooking says whether all that comes after the Add is a goroutine whose first act is
// to look whether it is to end, at a signal that is given before the wait for the group, or
// at the variable that was looked at before:
//
//	x.wg.Add(1)
//	go func() {
//		defer x.wg.Done()
//		for {
//			select {
//			case <-x.quit: // Close: close(x.quit); x.wg.Wait()
//				return
//			case <-ticker.C:
//				…
//			}
//		}
//	}()
//
// If nobody has waited for it, it ends at once, and uses nothing.
func (s *search) startsLooking(add groupCall, looked access.Var) bool {
	list := statementsFrom(s.body.Block, add.call)
	if len(list) == 0 {
		return false
	}
	var start *ast.GoStmt
	for _, stmt := range list[1:] {
		switch stmt := stmt.(type) {
		case *ast.GoStmt:
			if start != nil {
				return false
			}
			start = stmt
		case *ast.ExprStmt:
			call, ok := ast.Unparen(stmt.X).(*ast.CallExpr)
			if v, _ := s.groupOf(call, "Add"); !ok || v == nil {
				return false
			}
		case *ast.ReturnStmt:
			if s.usesMore(stmt) {
				return false
			}
		default:
			return false
		}
	}
	if start == nil {
		return false
	}
	b := s.pkg.ByNode[ast.Unparen(start.Call.Fun)]
	if b == nil {
		b = s.pkg.ByFunc[s.locks.Callee(start.Call)]
	}
	return b != nil && s.looksFirst(b, b.Block.List, add.group, looked)
}

// looksFirst says whether the first of the statements of b that does anything is that look.
func (s *search) looksFirst(b *accesses.Body, list []ast.Stmt, group *types.Var, looked access.Var) bool {
	for i, stmt := range list {
		if l, ok := stmt.(*ast.LabeledStmt); ok {
			stmt = l.Stmt
		}
		switch stmt := stmt.(type) {
		case *ast.DeferStmt:
		case *ast.AssignStmt, *ast.DeclStmt:
			if s.usesMore(stmt) {
				return false
			}
		case *ast.ExprStmt:
			call, ok := ast.Unparen(stmt.X).(*ast.CallExpr)
			if !ok || !logging.MatchString(types.ExprString(call.Fun)) {
				return false
			}
		case *ast.ForStmt:
			return stmt.Cond == nil && stmt.Init == nil && i == len(list)-1 && s.looksFirst(b, stmt.Body.List, group, looked)
		case *ast.IfStmt:
			return stmt.Init == nil && leavesForGood(stmt.Body.List) && s.reads(b, stmt.Cond, looked)
		case *ast.SelectStmt:
			return s.ended(stmt, group)
		default:
			return false
		}
	}
	return false
}

// ended says whether the select leaves the function, or the loop around it, when the signal
// to end is given, and nothing else is there to be done then: it has a default arm, or times
// that have yet to come.
func (s *search) ended(sel *ast.SelectStmt, group *types.Var) bool {
	found := false
	for _, c := range sel.Body.List {
		comm := c.(*ast.CommClause)
		var from ast.Expr
		switch x := comm.Comm.(type) {
		case *ast.ExprStmt:
			from = x.X
		case *ast.AssignStmt:
			from = x.Rhs[0]
		case *ast.SendStmt:
			return false
		}
		if comm.Comm == nil {
			continue
		}
		u, ok := ast.Unparen(from).(*ast.UnaryExpr)
		if !ok || u.Op != token.ARROW {
			return false
		}
		of, isContext := s.doneOf(u.X)
		if leavesForGood(comm.Body) {
			v := s.variable(of)
			found = found || v != nil && s.endsAndWaits(v, isContext, group) != nil
			continue // to leave for another reason is to leave
		}
		if t := s.pkg.Info.TypeOf(u); t == nil || types.TypeString(t, nil) != "time.Time" {
			return false
		}
	}
	return found
}

// reads says whether the condition reads the variable in the body b.
func (s *search) reads(b *accesses.Body, cond ast.Expr, v access.Var) bool {
	if v.Obj == nil {
		return false
	}
	for _, o := range s.stateOf(b).order {
		at := o.Expr
		if o.via != nil {
			at = o.via
		}
		if o.Var == v && o.Mode == atomicity.Read && cond.Pos() <= at.Pos() && at.End() <= cond.End() {
			return true
		}
	}
	return false
}

// leavesForGood says whether the statements end in a return, or leave a loop by its label.
func leavesForGood(list []ast.Stmt) bool {
	if len(list) == 0 {
		return false
	}
	switch s := list[len(list)-1].(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return s.Tok == token.BREAK && s.Label != nil
	}
	return false
}

// statementsFrom are the statement that consists of the call, and those that follow it.
func statementsFrom(block *ast.BlockStmt, call *ast.CallExpr) []ast.Stmt {
	var from []ast.Stmt
	ast.Inspect(block, func(n ast.Node) bool {
		var list []ast.Stmt
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BlockStmt:
			list = n.List
		case *ast.CaseClause:
			list = n.Body
		case *ast.CommClause:
			list = n.Body
		}
		for i, stmt := range list {
			if x, ok := stmt.(*ast.ExprStmt); ok && ast.Unparen(x.X) == ast.Expr(call) {
				from = list[i:]
			}
		}
		return from == nil
	})
	return from
}

// usesMore says whether the statement receives something, or calls more than what makes
// channels, timers and contexts.
func (s *search) usesMore(stmt ast.Stmt) bool {
	found := false
	ast.Inspect(stmt, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			if id, ok := ast.Unparen(n.Fun).(*ast.Ident); ok && s.pkg.Info.Uses[id] == types.Universe.Lookup("make") {
				return true
			}
			fn := s.locks.Callee(n)
			found = found || fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "time" && fn.Pkg().Path() != "context"
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		}
		return !found
	})
	return found
}
