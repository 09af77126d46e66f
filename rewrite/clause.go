package rewrite

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/dave/dst"
	"github.com/dave/dst/dstutil"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// enterRange marks what a range clause assigns to, and an array of which only
// the length is used, as places rather than values.
func (p *pass) enterRange(s *dst.RangeStmt) {
	if s.Tok == token.ASSIGN {
		for _, l := range []dst.Expr{s.Key, s.Value} {
			if l != nil {
				p.place[dstutil.Unparen(l)] = true
			}
		}
	}
	if source := p.expr(s.X); source != nil && s.Value == nil {
		if _, isArray := p.info.TypeOf(source).Underlying().(*types.Array); isArray {
			p.place[dstutil.Unparen(s.X)] = true
		}
	}
}

// leaveRange hooks the variables that the clause assigns to at each round, as
// first thing in the body, the elements of a slice there as well, and the read of
// a whole map before the loop.
func (p *pass) leaveRange(c *dstutil.Cursor, s *dst.RangeStmt) []dst.Stmt {
	source, _ := p.ast(s).(*ast.RangeStmt)
	if source == nil {
		return nil
	}
	if s.Tok == token.ASSIGN {
		p.rangeTargets(s, source)
	}
	h := p.hook(source.X, atomicity.Read, access.MapWhole)
	elements := p.plan.bulk[source].read
	if h != nil && !p.takesMap(h) {
		h = nil
	}
	if h == nil && elements == nil {
		return nil
	}
	label, labelled := c.Parent().(*dst.LabeledStmt)
	if labelled && len(p.fn().hasGoto) > 0 {
		p.unhooked(cmp.Or(h, elements), "a labelled range clause in a function with goto")
		return nil
	}
	var seq []dst.Stmt
	if elements != nil {
		seq = p.rangeElements(s, source, elements)
	} else {
		m := p.intoTemp(s.X, &seq)
		s.X = m
		name := "MapPeekLen"
		if h.full {
			name = "MapLen"
		}
		seq = append(seq, statement(p.heal(name, append(p.use(h), again(m))...)))
	}
	if seq == nil {
		return nil
	}
	if labelled {
		p.before[label] = append(seq, p.before[label]...)
		return nil
	}
	return p.blockAround(seq, s)
}

func (p *pass) rangeTargets(s *dst.RangeStmt, source *ast.RangeStmt) {
	key := p.hook(source.Key, atomicity.Write, writeKinds...)
	value := p.hook(source.Value, atomicity.Write, writeKinds...)
	if key == nil && value == nil {
		return
	}
	if tv := p.info.Types[source.X]; tv.Value != nil {
		t, ok := p.typeExpr(p.info.TypeOf(source.Key), source.Pos())
		if !ok {
			p.unhooked(key, "the type of the iteration variable cannot be named here")
			return
		}
		s.X = call(t, s.X)
	}
	var body []dst.Stmt
	var targets []target
	var values []dst.Expr
	replace := func(l *dst.Expr, h *hook, pinned bool) {
		if *l == nil || isBlank(*l) {
			return
		}
		name := p.temp(tempPrefix)
		t, ok := p.newTarget(*l, h, pinned, &body)
		if !ok {
			t = target{cell: *l}
		}
		targets, values = append(targets, t), append(values, ident(name))
		*l = ident(name)
	}
	two := s.Value != nil && !isBlank(s.Key) && !isBlank(s.Value)
	replace(&s.Key, key, two)
	replace(&s.Value, value, two)
	p.storeAll(targets, values, &body)
	s.Tok = token.DEFINE
	block := p.block(body, nil)
	p.attribute(block, source)
	s.Body.List = append([]dst.Stmt{block}, s.Body.List...)
	p.changed = true
}

// leaveComm hooks the variables that a select case assigns what it received
// to: the value is taken into a temporary, and stored as the first thing in
// the case, which is when Go evaluates the left-hand sides.
func (p *pass) leaveComm(n *dst.CommClause) {
	s, ok := n.Comm.(*dst.AssignStmt)
	if !ok || s.Tok != token.ASSIGN {
		return
	}
	hooks := make([]*hook, len(s.Lhs))
	hooked := false
	for i, l := range s.Lhs {
		hooks[i] = p.hook(p.expr(l), atomicity.Write, writeKinds...)
		hooked = hooked || hooks[i] != nil
	}
	if !hooked {
		return
	}
	var body []dst.Stmt
	var targets []target
	var values []dst.Expr
	lhs := make([]dst.Expr, len(s.Lhs))
	for i, l := range s.Lhs {
		if isBlank(l) {
			lhs[i] = l
			continue
		}
		name := p.temp(tempPrefix)
		var value dst.Expr = ident(name)
		if i == 1 && !isPlainBool(p.typeOf(l)) {
			value = &dst.BinaryExpr{X: ident(name), Op: token.EQL, Y: p.truth()}
		}
		lhs[i] = ident(name)
		t, ok := p.newTarget(l, hooks[i], len(s.Lhs) > 1, &body)
		if !ok {
			t = target{cell: l}
		}
		targets, values = append(targets, t), append(values, value)
	}
	p.storeAll(targets, values, &body)
	s.Lhs, s.Tok = lhs, token.DEFINE
	block := p.block(body, nil)
	p.attribute(block, p.ast(s))
	n.Body = append([]dst.Stmt{block}, n.Body...)
	p.changed = true
}
