package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/dave/dst"
)

// controlRange makes a loop with a condition of a range over a channel, or over
// a map, here one whose keys have an order:
//
//	for _ar_t1, v := sched.Range(c); sched.Next(_ar_t1, &v); {
//	for _ar_t1, k, v := sched.Entries(m); sched.NextEntry(_ar_t1, &k, &v); {
//
// In a condition rather than the body, so that continue and the rules about the
// loop's variables, of either version of the language, stay as they are.
func (p *pass) controlRange(s *dst.RangeStmt) dst.Stmt {
	source, _ := p.ast(s).(*ast.RangeStmt)
	if source == nil {
		return nil
	}
	start, next, variables := "", "", 0
	switch t := p.info.TypeOf(source.X).Underlying().(type) {
	case *types.Chan:
		start, next, variables = "Range", "Next", 1
	case *types.Map:
		switch {
		case isOrdered(t.Key()):
			start, next, variables = "Entries", "NextEntry", 2
		case p.isKey(t.Key()):
			start, next, variables = "NumberedEntries", "NextEntry", 2
		}
	}
	if start == "" {
		return nil
	}
	state := p.temp(tempPrefix)
	lhs, rest := []dst.Expr{ident(state)}, []dst.Expr{ident(state)}
	var assigned, values []dst.Expr
	for _, v := range []dst.Expr{s.Key, s.Value}[:variables] {
		name := p.temp(tempPrefix)
		switch id, isIdent := v.(*dst.Ident); {
		case v == nil || isBlank(v):
		case s.Tok == token.DEFINE && isIdent:
			name = id.Name
		default:
			assigned, values = append(assigned, v), append(values, ident(name))
		}
		lhs, rest = append(lhs, ident(name)), append(rest, address(ident(name)))
	}
	out := &dst.ForStmt{
		Init: &dst.AssignStmt{Lhs: lhs, Tok: token.DEFINE, Rhs: []dst.Expr{p.sched(start, s.X)}},
		Cond: p.sched(next, rest...),
		Body: s.Body,
	}
	p.attribute(out.Init, source)
	p.attribute(out.Cond, source)
	if len(assigned) > 0 {
		first := &dst.AssignStmt{Lhs: assigned, Tok: token.ASSIGN, Rhs: values}
		first.Decs.Before, first.Decs.After = dst.NewLine, dst.NewLine
		p.attribute(first, source)
		s.Body.List = append([]dst.Stmt{first}, s.Body.List...)
	}
	return out
}

// isOrdered says whether the keys can be sorted, so that the order in which they
// come is the same in every run with the same seed. Not so pointers and
// interfaces, which are numbered instead (controlledkeys.go).
func isOrdered(t types.Type) bool {
	if _, ok := t.(*types.TypeParam); ok {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsInteger|types.IsString) != 0
}

// substitute puts by in the place of s in the list or, where a block was put
// around s, in the block.
func substitute(list []dst.Stmt, s, by dst.Stmt) []dst.Stmt {
	if len(list) == 0 {
		return []dst.Stmt{by}
	}
	for i, n := range list {
		if n == s {
			list[i] = by
		}
		if b, ok := n.(*dst.BlockStmt); ok {
			for j, inner := range b.List {
				if inner == s {
					*by.Decorations() = *s.Decorations()
					b.List[j] = by
				}
			}
		}
	}
	return list
}
