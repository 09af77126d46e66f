package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/dave/dst"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// The compiler reads the variables of t.n + t.next() when it has made the calls, each of which
// leaves its result in a temporary. Where a hooked read stays in front of a call, for a section
// begins or ends there, the calls move into temporaries as well: a hook that reads first would
// compute with what t.next has changed since.

// callsFirst moves the calls of the assigned value into temporaries if a hooked read of it stands
// before one of them, and reports whether it has. What is made of the calls' results by anything
// but operators and conversions of numbers is left as it is.
func (p *pass) callsFirst(value *dst.Expr, seq *[]dst.Stmt) bool {
	source := p.expr(*value)
	if source == nil || !p.readsEarly(source) || !p.canCallFirst(*value) {
		return false
	}
	*value = p.callFirst(*value, seq)
	return true
}

// callsBefore is callsFirst for an assignment to a local without hooks, or its definition, in a list
// of statements.
func (p *pass) callsBefore(s *dst.AssignStmt) []dst.Stmt {
	var seq []dst.Stmt
	if len(s.Lhs) != 1 || len(s.Rhs) != 1 || !p.isOwn(p.expr(s.Lhs[0])) || p.hook(p.expr(s.Lhs[0]), atomicity.Write, writeKinds...) != nil ||
		!p.callsFirst(&s.Rhs[0], &seq) {
		return nil
	}
	seq = append(seq, s)
	if s.Tok == token.DEFINE {
		return seq
	}
	return []dst.Stmt{p.block(seq, s)}
}

// callsBeforeReturn is callsFirst for all the results of a return statement: the calls of none may
// come after those of a later one.
func (p *pass) callsBeforeReturn(s *dst.ReturnStmt) []dst.Stmt {
	early := false
	for _, r := range s.Results {
		if source := p.expr(r); source == nil || !p.canCallFirst(r) {
			return nil
		} else if p.readsEarly(source) {
			early = true
		}
	}
	if !early {
		return nil
	}
	var seq []dst.Stmt
	for i, r := range s.Results {
		s.Results[i] = p.callFirst(r, &seq)
	}
	if len(seq) == 0 {
		return nil
	}
	return []dst.Stmt{p.block(append(seq, s), s)}
}

// callsBeforeHeader is callsFirst for the condition of an if statement, or the tag of a switch, with
// room before it for the calls; init comes first.
func (p *pass) callsBeforeHeader(s dst.Stmt, init *dst.Stmt, value *dst.Expr) {
	var seq []dst.Stmt
	if p.fixed[s] || !p.callsFirst(value, &seq) {
		return
	}
	first := p.hoisted[s]
	if *init != nil {
		first, *init = append(first, *init), nil
	}
	p.hoisted[s] = append(first, seq...)
}

// readsEarly says whether a hooked read of a variable stands before a call in e.
func (p *pass) readsEarly(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if _, isLit := n.(*ast.FuncLit); isLit {
			return false
		}
		if x, ok := n.(ast.Expr); ok && !found {
			h := p.hook(x, atomicity.Read, access.Cell)
			found = h != nil && precedesCall(p.info, h.access)
		}
		return !found
	})
	return found
}

// canCallFirst says whether all that calls in e, which is rewritten already, are whole calls of the
// source that only operators stand above.
func (p *pass) canCallFirst(e dst.Expr) bool {
	source := p.expr(e)
	switch x := e.(type) {
	case *dst.ParenExpr:
		return p.canCallFirst(x.X)
	case *dst.UnaryExpr:
		if x.Op != token.ARROW && x.Op != token.AND {
			return p.canCallFirst(x.X)
		}
	case *dst.BinaryExpr:
		if x.Op != token.LAND && x.Op != token.LOR {
			return p.canCallFirst(x.X) && p.canCallFirst(x.Y)
		}
	case *dst.CallExpr:
		if c, ok := source.(*ast.CallExpr); ok {
			return isCall(p.info, c) || p.convertsNumber(c) && p.canCallFirst(x.Args[0])
		}
	}
	return source != nil && !p.runs(source)
}

// callFirst moves the calls of e into temporaries.
func (p *pass) callFirst(e dst.Expr, seq *[]dst.Stmt) dst.Expr {
	switch x := e.(type) {
	case *dst.ParenExpr:
		x.X = p.callFirst(x.X, seq)
	case *dst.UnaryExpr:
		x.X = p.callFirst(x.X, seq)
	case *dst.BinaryExpr:
		x.X = p.callFirst(x.X, seq)
		x.Y = p.callFirst(x.Y, seq)
	case *dst.CallExpr:
		c, ok := p.expr(e).(*ast.CallExpr)
		switch {
		case ok && isCall(p.info, c):
			return p.intoTemp(e, seq)
		case ok && p.convertsNumber(c):
			x.Args[0] = p.callFirst(x.Args[0], seq)
		}
	}
	return e
}

// convertsNumber says whether the call is a conversion of a number to another type of numbers.
func (p *pass) convertsNumber(c *ast.CallExpr) bool {
	numeric := func(e ast.Expr) bool {
		b, ok := p.info.TypeOf(e).Underlying().(*types.Basic)
		return ok && b.Info()&types.IsNumeric != 0
	}
	return p.info.Types[ast.Unparen(c.Fun)].IsType() && len(c.Args) == 1 && numeric(c) && numeric(c.Args[0])
}
