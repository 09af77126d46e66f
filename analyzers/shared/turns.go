package shared

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
)

// oneEachTurn says whether the loop waits, in the turn in which it starts a goroutine, for a
// channel that the goroutine closes or sends on when it is through, or for a WaitGroup that it is done with, and goes on to the next
// turn only then: there is one of the goroutines at a time, and what the loop does comes
// before it or after it.
//
//	for {
//		done := make(chan struct{})
//		go func() { n++; close(done) }()
//		select {
//		case <-done:
//		case <-quit:
//			return
//		}
//	}
func (r *Result) oneEachTurn(b *accesses.Body, loop ast.Stmt, at ast.Node) bool {
	stmt, ok := at.(*ast.GoStmt)
	if !ok {
		return false
	}
	lit, ok := ast.Unparen(stmt.Call.Fun).(*ast.FuncLit)
	if !ok {
		return false
	}
	var block *ast.BlockStmt
	switch loop := loop.(type) {
	case *ast.ForStmt:
		block = loop.Body
	case *ast.RangeStmt:
		block = loop.Body
	}
	for ch := range r.finishes(lit) {
		if (loop.Pos() > ch.Pos() || ch.Pos() >= loop.End()) && !isWaitGroup(ch) {
			continue // an older goroutine's end may be taken for this one's
		}
		for _, s := range block.List {
			if s.Pos() > at.End() && r.waitsFor(s, ch) {
				return !r.skips(block, at, s)
			}
		}
	}
	return false
}

// isWaitGroup says whether the variable is a sync.WaitGroup, or points to one.
func isWaitGroup(v *types.Var) bool {
	tn := accesses.TypeName(v.Type())
	return tn != nil && tn.Pkg() != nil && tn.Pkg().Path() == "sync" && tn.Name() == "WaitGroup"
}

// groupOf is the local WaitGroup whose method of the name is called, or nil.
func (r *Result) groupOf(call *ast.CallExpr, method string) *types.Var {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != method {
		return nil
	}
	v, ok := r.pkg.Info.Uses[identOf(ast.Unparen(sel.X))].(*types.Var)
	if !ok || v.IsField() || !isWaitGroup(v) {
		return nil
	}
	return v
}

// finishes are the local channels that the literal closes or sends on, and the WaitGroups that it is done with.
func (r *Result) finishes(lit *ast.FuncLit) map[*types.Var]bool {
	set := map[*types.Var]bool{}
	add := func(e ast.Expr) {
		if v, ok := r.pkg.Info.Uses[identOf(ast.Unparen(e))].(*types.Var); ok && !v.IsField() {
			set[v] = true
		}
	}
	ast.Inspect(lit.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			if id := identOf(ast.Unparen(n.Fun)); id != nil && id.Name == "close" && len(n.Args) == 1 {
				add(n.Args[0])
			} else if wg := r.groupOf(n, "Done"); wg != nil {
				set[wg] = true
			}
		case *ast.SendStmt:
			add(n.Chan)
		}
		return true
	})
	return set
}

// waitsFor says whether control passes the statement only when it has received from the
// channel.
func (r *Result) waitsFor(s ast.Stmt, ch *types.Var) bool {
	switch s := s.(type) {
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		return r.receives(s.X, ch) || ok && r.groupOf(call, "Wait") == ch
	case *ast.AssignStmt:
		return len(s.Rhs) == 1 && r.receives(s.Rhs[0], ch)
	case *ast.SelectStmt:
		waits := false
		for _, c := range s.Body.List {
			clause := c.(*ast.CommClause)
			if clause.Comm != nil && r.waitsFor(clause.Comm, ch) {
				waits = true
			} else if !leaves(clause.Body) {
				return false
			}
		}
		return waits
	}
	return false
}

func (r *Result) receives(e ast.Expr, ch *types.Var) bool {
	u, ok := ast.Unparen(e).(*ast.UnaryExpr)
	return ok && u.Op == token.ARROW && r.pkg.Info.Uses[identOf(ast.Unparen(u.X))] == types.Object(ch)
}

// leaves says whether the statements end in a return.
func leaves(list []ast.Stmt) bool {
	if len(list) == 0 {
		return false
	}
	_, ok := list[len(list)-1].(*ast.ReturnStmt)
	return ok
}

// skips says whether a continue stands between the start of the goroutine and the wait.
func (r *Result) skips(block *ast.BlockStmt, at ast.Node, wait ast.Stmt) bool {
	return slices.ContainsFunc(block.List, func(s ast.Stmt) bool {
		found := false
		ast.Inspect(s, func(n ast.Node) bool {
			if branch, ok := n.(*ast.BranchStmt); ok && at.End() < branch.Pos() && branch.Pos() < wait.Pos() {
				found = true
			}
			return !found
		})
		return found
	})
}
