package rewrite

import (
	"go/ast"
	"go/token"
)

// targets finds the statements that break, continue and goto refer to.
type targets struct {
	statements map[*ast.BranchStmt]ast.Node
}

// of is the loop, switch or select that a break or continue belongs to, or the
// labelled statement a goto jumps to; nil when there is none.
func (t targets) of(b *ast.BranchStmt) ast.Node { return t.statements[b] }

func newTargets(body *ast.BlockStmt) targets {
	t := targets{map[*ast.BranchStmt]ast.Node{}}
	labels := map[string]*ast.LabeledStmt{}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.LabeledStmt:
			labels[n.Label.Name] = n
		}
		return true
	})
	var walk func(n ast.Node, brk, cont ast.Node)
	walk = func(n ast.Node, brk, cont ast.Node) {
		ast.Inspect(n, func(c ast.Node) bool {
			if c == n {
				return true
			}
			switch c := c.(type) {
			case *ast.FuncLit:
				return false
			case *ast.ForStmt, *ast.RangeStmt:
				walk(c, c, c)
				return false
			case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
				walk(c, c, cont)
				return false
			case *ast.BranchStmt:
				t.add(c, labels, brk, cont)
			}
			return true
		})
	}
	walk(body, nil, nil)
	return t
}

func (t targets) add(b *ast.BranchStmt, labels map[string]*ast.LabeledStmt, brk, cont ast.Node) {
	switch {
	case b.Label != nil && labels[b.Label.Name] != nil:
		l := labels[b.Label.Name]
		t.statements[b] = l
		if b.Tok != token.GOTO {
			t.statements[b] = unlabelled(l)
		}
	case b.Tok == token.BREAK && brk != nil:
		t.statements[b] = brk
	case b.Tok == token.CONTINUE && cont != nil:
		t.statements[b] = cont
	}
}

// isTerminating says whether control never reaches the statement after s, by
// the rules of the Go specification, "Terminating statements".
func isTerminating(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return true // break and continue too: what follows is not reached
	case *ast.ExprStmt:
		call, ok := ast.Unparen(s.X).(*ast.CallExpr)
		if !ok {
			return false
		}
		id, ok := call.Fun.(*ast.Ident)
		return ok && id.Name == "panic"
	case *ast.BlockStmt:
		return endsTerminating(s.List)
	case *ast.IfStmt:
		return s.Else != nil && isTerminating(s.Body) && isTerminating(s.Else)
	case *ast.ForStmt:
		return s.Cond == nil && !breaks(s, s.Body)
	case *ast.LabeledStmt:
		return isTerminating(s.Stmt)
	case *ast.SwitchStmt:
		return clausesTerminate(s, s.Body)
	case *ast.TypeSwitchStmt:
		return clausesTerminate(s, s.Body)
	case *ast.SelectStmt:
		for _, c := range s.Body.List {
			if !endsTerminating(c.(*ast.CommClause).Body) {
				return false
			}
		}
		return !breaks(s, s.Body)
	}
	return false
}

func endsTerminating(list []ast.Stmt) bool {
	return len(list) > 0 && isTerminating(list[len(list)-1])
}

func clausesTerminate(s ast.Stmt, body *ast.BlockStmt) bool {
	hasDefault := false
	for _, c := range body.List {
		c := c.(*ast.CaseClause)
		hasDefault = hasDefault || c.List == nil
		if !endsTerminating(c.Body) {
			return false
		}
	}
	return hasDefault && !breaks(s, body)
}

// breaks says whether a break in the body may leave s.
func breaks(s ast.Stmt, body *ast.BlockStmt) bool {
	t := newTargets(&ast.BlockStmt{List: []ast.Stmt{s}})
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BranchStmt:
			to := t.of(n)
			if n.Tok == token.BREAK && (to == nil || to == ast.Node(s)) { // nil: its label is outside
				found = true
			}
		}
		return !found
	})
	return found
}
