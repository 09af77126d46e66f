package accesses

import (
	"go/ast"
	"go/token"
)

// once is what a loop does that never comes round, for { …; return } or for { …; break };
// nil where it may come round.
func (in *inliner) once(s *ast.ForStmt) []ast.Stmt {
	if s.Init != nil || s.Cond != nil || s.Post != nil || !leavesAtEnd(s.Body.List) {
		return nil
	}
	body := s.Body.List
	if isBreak(body[len(body)-1]) {
		body = body[:len(body)-1]
	}
	round, broken := false, false
	aimed(body, true, func(b *ast.BranchStmt, plain bool) {
		round = round || b.Tok == token.CONTINUE
		broken = broken || b.Tok == token.BREAK && plain
	})
	if round {
		return nil
	}
	if !broken {
		return append([]ast.Stmt{}, body...)
	}
	label := in.label(s.Body.Rbrace)
	block := &ast.BlockStmt{Lbrace: s.Body.Lbrace, List: body, Rbrace: s.Body.Rbrace}
	aimed(body, true, func(b *ast.BranchStmt, plain bool) {
		if b.Tok == token.BREAK && plain {
			b.Tok, b.Label = token.GOTO, label.Label
		}
	})
	return []ast.Stmt{block, label}
}

func isBreak(s ast.Stmt) bool {
	b, ok := s.(*ast.BranchStmt)
	return ok && b.Tok == token.BREAK && b.Label == nil
}

// aimed visits the break and continue statements without a label that are aimed at the
// loop around the list; plain says that a break there is.
func aimed(list []ast.Stmt, plain bool, visit func(b *ast.BranchStmt, plain bool)) {
	for _, s := range list {
		ast.Inspect(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit, *ast.ForStmt, *ast.RangeStmt:
				return false
			case *ast.SwitchStmt:
				aimed(n.Body.List, false, visit)
				return false
			case *ast.TypeSwitchStmt:
				aimed(n.Body.List, false, visit)
				return false
			case *ast.SelectStmt:
				aimed(n.Body.List, false, visit)
				return false
			case *ast.BranchStmt:
				if n.Label == nil && (n.Tok == token.CONTINUE || n.Tok == token.BREAK) {
					visit(n, plain)
				}
			}
			return true
		})
	}
}

// leavesAtEnd says whether control does not come to the end of the list, which is the
// body of a loop.
func leavesAtEnd(list []ast.Stmt) bool {
	if len(list) == 0 {
		return false
	}
	switch s := list[len(list)-1].(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return s.Tok == token.BREAK && s.Label == nil
	case *ast.BlockStmt:
		return leavesAtEnd(s.List)
	case *ast.IfStmt:
		if s.Else == nil {
			return false
		}
		return leavesAtEnd(s.Body.List) && leavesAtEnd([]ast.Stmt{s.Else})
	case *ast.SwitchStmt:
		return armsLeave(s.Body, false)
	case *ast.TypeSwitchStmt:
		return armsLeave(s.Body, false)
	case *ast.SelectStmt:
		return armsLeave(s.Body, true)
	}
	return false
}

// armsLeave says whether each arm returns, and one of them is taken always.
func armsLeave(body *ast.BlockStmt, always bool) bool {
	for _, arm := range body.List {
		list := *listOf(arm)
		if clause, ok := arm.(*ast.CaseClause); ok {
			always = always || clause.List == nil
		}
		if len(list) == 0 || !leavesAtEnd(list) || isBreak(list[len(list)-1]) {
			return false
		}
		broken := false
		aimed(list, false, func(b *ast.BranchStmt, _ bool) { broken = broken || b.Tok == token.BREAK })
		if broken {
			return false
		}
	}
	return always && len(body.List) > 0
}
