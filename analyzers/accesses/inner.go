package accesses

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// inner puts what is called by statements in the list, and below them, in the place of the
// calls. It returns the list itself where there is nothing to put.
func (j *joining) inner(list []ast.Stmt) []ast.Stmt {
	var made []ast.Stmt
	for i, stmt := range list {
		with := j.statement(stmt)
		if with == nil {
			if made != nil {
				made = append(made, stmt)
			}
			continue
		}
		if made == nil {
			made = slices.Clone(list[:i])
		}
		made = append(made, with...)
	}
	if made == nil {
		return list
	}
	return made
}

// statement is what a statement becomes, or nil if it stays what it is.
func (j *joining) statement(stmt ast.Stmt) []ast.Stmt {
	switch s := stmt.(type) {
	case *ast.DeclStmt:
		if a := asDefinition(s); a != nil {
			return j.statement(a)
		}
	case *ast.ExprStmt:
		if call, ok := s.X.(*ast.CallExpr); ok {
			if given, of := j.take(call, asStatement, nil, endsPlainly(0)); of != nil {
				list := j.wholeOf(of).Body.List
				if len(list) > 0 {
					if _, returns := list[len(list)-1].(*ast.ReturnStmt); returns {
						list = list[:len(list)-1]
					}
				}
				return slices.Concat(given, list)
			}
		}
	case *ast.AssignStmt:
		if len(s.Rhs) == 1 && (s.Tok == token.ASSIGN || s.Tok == token.DEFINE) {
			if call, ok := s.Rhs[0].(*ast.CallExpr); ok {
				var into []*ast.Ident
				for _, l := range s.Lhs {
					if id, ok := l.(*ast.Ident); ok && s.Tok == token.DEFINE {
						into = append(into, id)
					}
				}
				if given, of := j.take(call, asStatement, into, endsPlainly(len(s.Lhs))); of != nil {
					list := j.wholeOf(of).Body.List
					last := list[len(list)-1].(*ast.ReturnStmt)
					return slices.Concat(given, list[:len(list)-1], j.assign(s, last.Results))
				}
			}
		}
	case *ast.BlockStmt:
		if block := j.block(s); block != s {
			return []ast.Stmt{block}
		}
	case *ast.LabeledStmt:
		return nil
	case *ast.IfStmt:
		cond, body := j.condition(s.Cond), j.block(s.Body)
		other := s.Else
		if other != nil {
			if list := j.statement(other); len(list) == 1 {
				other = list[0]
			}
		}
		if cond != s.Cond || body != s.Body || other != s.Else {
			c := *s
			c.Cond, c.Body, c.Else = cond, body, other
			return []ast.Stmt{&c}
		}
	case *ast.ForStmt:
		cond, body := s.Cond, j.block(s.Body)
		if cond != nil {
			cond = j.condition(cond)
		}
		if cond != s.Cond || body != s.Body {
			c := *s
			c.Cond, c.Body = cond, body
			return []ast.Stmt{&c}
		}
	case *ast.SwitchStmt:
		if body := j.block(s.Body); body != s.Body {
			c := *s
			c.Body = body
			return []ast.Stmt{&c}
		}
	case *ast.CaseClause:
		list, body := s.List, j.inner(s.Body)
		for i, e := range list {
			if cond := j.condition(e); cond != e {
				list = slices.Clone(list)
				list[i] = cond
			}
		}
		if !slices.Equal(list, s.List) || !slices.Equal(body, s.Body) {
			c := *s
			c.List, c.Body = list, body
			return []ast.Stmt{&c}
		}
	case *ast.RangeStmt:
		if body := j.block(s.Body); body != s.Body {
			c := *s
			c.Body = body
			return []ast.Stmt{&c}
		}
	}
	return nil
}

// assign is the assignment with the results in the place of the call; nothing where they
// are the very variables.
func (j *joining) assign(s *ast.AssignStmt, results []ast.Expr) []ast.Stmt {
	c := *s
	c.Lhs, c.Rhs = nil, nil
	for i, l := range s.Lhs {
		id, _ := l.(*ast.Ident)
		result, ok := results[i].(*ast.Ident)
		if ok && id != nil && j.info.Defs[id] != nil && j.info.Uses[result] == j.info.Defs[id] {
			continue
		}
		c.Lhs, c.Rhs = append(c.Lhs, l), append(c.Rhs, results[i])
	}
	if len(c.Lhs) == 0 {
		return nil
	}
	return []ast.Stmt{&c}
}

func (j *joining) block(b *ast.BlockStmt) *ast.BlockStmt {
	list := j.inner(b.List)
	if len(list) == len(b.List) && (len(list) == 0 || slices.Equal(list, b.List)) {
		return b
	}
	c := *b
	c.List = list
	return &c
}

// condition is a condition with what the functions that are asked return in the place of
// the calls.
func (j *joining) condition(e ast.Expr) ast.Expr {
	var changed ast.Expr
	switch e := e.(type) {
	case *ast.ParenExpr:
		if x := j.condition(e.X); x != e.X {
			c := *e
			c.X, changed = x, &c
		}
	case *ast.UnaryExpr:
		if e.Op != token.NOT {
			break
		}
		if x := j.condition(e.X); x != e.X {
			c := *e
			c.X, changed = x, &c
		}
	case *ast.BinaryExpr:
		if x, y := j.condition(e.X), j.condition(e.Y); x != e.X || y != e.Y {
			c := *e
			c.X, c.Y, changed = x, y, &c
		}
	}
	if changed != nil {
		j.ownInfo()
		j.info.Types[changed] = j.info.Types[e]
		return changed
	}
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return e
	}
	_, of := j.take(call, asExpression, nil, func(of *ast.FuncDecl, f *types.Func) bool {
		return len(of.Body.List) == 1 && endsPlainly(1)(of, f)
	})
	if of == nil {
		return e
	}
	return j.wholeOf(of).Body.List[0].(*ast.ReturnStmt).Results[0]
}

// endsPlainly says of functions whether they return n results at their end and nowhere
// else, and do nothing when they return.
func endsPlainly(n int) func(of *ast.FuncDecl, f *types.Func) bool {
	return func(of *ast.FuncDecl, f *types.Func) bool {
		list := of.Body.List
		if f.Signature().Results().Len() != n || len(list) == 0 || labelled(of) || givesUpFirst(of) {
			return false
		}
		last, returns := list[len(list)-1].(*ast.ReturnStmt)
		if n > 0 && (!returns || len(last.Results) != n) {
			return false
		}
		fits := true
		inspectBody(of.Body, func(n ast.Node) {
			switch n := n.(type) {
			case *ast.ReturnStmt:
				fits = fits && n == last
			case *ast.DeferStmt:
				fits = false
			}
		})
		return fits
	}
}

// givesUpFirst says whether the first that the function does with a lock is to release it:
// it gives up the lock of its caller for a while.
func givesUpFirst(of *ast.FuncDecl) bool {
	first := ""
	inspectBody(of.Body, func(n ast.Node) {
		if call, ok := n.(*ast.CallExpr); ok && first == "" {
			if id := called(call); id != nil && strings.HasSuffix(strings.ToLower(id.Name), "lock") {
				first = strings.ToLower(id.Name)
			}
		}
	})
	return strings.HasSuffix(first, "unlock")
}
