package rewrite

import (
	"go/ast"
	"go/token"
	"strconv"

	"github.com/dave/dst"
)

// controlSelect makes a switch of a select statement: a break leaves either, and
// return, goto and continue mean the same in their clauses.
//
//	switch _ar_t1, _ar_t2 := sched.From(c), sched.To(d).Case(v); sched.Select(true, _ar_t1.Case(), _ar_t2) {
//	case 0: x := _ar_t1.Value
//	default: …
//	}
//
// The channels and the values to send are evaluated in order when the statement
// is entered; what a received value is assigned to, in the clause. The last
// clause is the default one, so that the statement terminates where it did.
func (p *pass) controlSelect(s *dst.SelectStmt) dst.Stmt {
	if len(s.Body.List) == 0 {
		forever := &dst.ForStmt{Body: &dst.BlockStmt{List: []dst.Stmt{statement(p.sched("Select", p.truth()))}}}
		p.attribute(forever.Body.List[0], p.ast(s))
		return forever
	}
	out := &dst.SwitchStmt{Body: &dst.BlockStmt{}}
	var names, operations, cases []dst.Expr
	blocking := true
	for i, c := range s.Body.List {
		clause := c.(*dst.CommClause)
		label := strconv.Itoa(len(cases))
		body := clause.Body
		switch comm := clause.Comm.(type) {
		case nil:
			label, blocking = "-1", false
		case *dst.SendStmt:
			name := p.temp(tempPrefix)
			names = append(names, ident(name))
			operations = append(operations, method(p.sched("To", comm.Chan), "Case", comm.Value))
			cases = append(cases, ident(name))
		default:
			name := p.temp(tempPrefix)
			names = append(names, ident(name))
			operations = append(operations, p.sched("From", receiveOf(comm).X))
			cases = append(cases, method(ident(name), "Case"))
			if a, ok := comm.(*dst.AssignStmt); ok {
				body = append([]dst.Stmt{p.received(a, name)}, body...)
			}
		}
		to := &dst.CaseClause{List: []dst.Expr{ident(label)}, Body: body}
		if i == len(s.Body.List)-1 {
			to.List = nil
		}
		*to.Decorations() = *clause.Decorations()
		*clause.Decorations() = dst.NodeDecs{}
		p.attribute(to, p.ast(clause))
		out.Body.List = append(out.Body.List, to)
	}
	if len(names) > 0 {
		out.Init = &dst.AssignStmt{Lhs: names, Tok: token.DEFINE, Rhs: operations}
		p.attribute(out.Init, p.ast(s))
	}
	wait := p.truth()
	if !blocking {
		wait = &dst.UnaryExpr{Op: token.NOT, X: wait}
	}
	out.Tag = p.sched("Select", append([]dst.Expr{wait}, cases...)...)
	p.attribute(out.Tag, p.ast(s))
	return out
}

// received assigns what the case has received.
func (p *pass) received(a *dst.AssignStmt, name string) dst.Stmt {
	values := []dst.Expr{&dst.SelectorExpr{X: ident(name), Sel: ident("Value")}}
	if len(a.Lhs) == 2 {
		var ok dst.Expr = &dst.SelectorExpr{X: ident(name), Sel: ident("OK")}
		if a.Tok == token.ASSIGN && !isBlank(a.Lhs[1]) && !isPlainBool(p.typeOf(a.Lhs[1])) {
			ok = &dst.BinaryExpr{X: ok, Op: token.EQL, Y: p.truth()}
		}
		values = append(values, ok)
	}
	out := &dst.AssignStmt{Lhs: a.Lhs, Tok: a.Tok, Rhs: values}
	p.attribute(out, p.ast(a))
	out.Decs.Before, out.Decs.After = dst.NewLine, dst.NewLine
	if source, ok := p.ast(a).(*ast.AssignStmt); ok {
		p.attribute(out.Rhs[0], source.Rhs[0])
	}
	return out
}
