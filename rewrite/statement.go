package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/dave/dst"
	"github.com/dave/dst/dstutil"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// leaveStmt hooks the writes of a statement and puts what belongs around it in
// place.
func (p *pass) leaveStmt(c *dstutil.Cursor, s dst.Stmt) {
	before, after := p.before[s], p.after[s]
	if c.Name() == "Comm" {
		return // by leaveComm
	}
	seq := p.hookStmt(c, s)
	if first := p.hoisted[s]; first != nil {
		seq = p.blockAround(first, s)
	}
	if seq == nil && before == nil && after == nil {
		return
	}
	p.changed = true
	source := p.ast(s)
	for _, list := range [][]dst.Stmt{before, seq, after} {
		for _, n := range list {
			if p.ast(n) == nil {
				p.attribute(n, source)
			}
		}
	}
	if c.Index() < 0 && seq != nil && (c.Name() == "Init" || c.Name() == "Post") {
		p.putSimple(c, s, seq)
		return
	}
	if seq == nil {
		seq = []dst.Stmt{s}
	} else if p.hoisted[s] == nil {
		moveDecorations(s, seq)
	}
	if c.Index() < 0 {
		all := append(append(before, seq...), after...)
		if len(all) == 1 {
			c.Replace(all[0])
			return
		}
		block := &dst.BlockStmt{List: all}
		p.attribute(block, source)
		c.Replace(block)
		return
	}
	if len(before) > 0 {
		liftDecorations(seq[0], before[0])
	}
	for _, n := range append(before, seq[:len(seq)-1]...) {
		c.InsertBefore(n)
	}
	if last := seq[len(seq)-1]; last != s {
		c.Replace(last)
	}
	for i := len(after) - 1; i >= 0; i-- {
		c.InsertAfter(after[i])
	}
}

// putSimple replaces the statement in the header of an if, switch or for: it
// moves before it, into a block, or becomes a function literal called on the
// spot where no block can stand.
func (p *pass) putSimple(c *dstutil.Cursor, s dst.Stmt, seq []dst.Stmt) {
	parent, _ := c.Parent().(dst.Stmt)
	if c.Name() == "Init" && !p.fixed[parent] {
		switch parent := parent.(type) {
		case *dst.IfStmt:
			parent.Init = nil
		case *dst.SwitchStmt:
			parent.Init = nil
		case *dst.TypeSwitchStmt:
			parent.Init = nil
		case *dst.ForStmt:
			parent.Init = nil
		}
		p.hoisted[parent] = seq
		return
	}
	closure := immediately(seq)
	p.attribute(closure, p.ast(s))
	for _, n := range seq {
		n.Decorations().Before, n.Decorations().After = dst.NewLine, dst.NewLine
	}
	c.Replace(closure)
}

// blockAround is a block with the statements first and then s.
func (p *pass) blockAround(first []dst.Stmt, s dst.Stmt) []dst.Stmt {
	for _, n := range first {
		if p.ast(n) == nil {
			p.attribute(n, p.ast(s))
		}
	}
	block := &dst.BlockStmt{}
	moveDecorations(s, []dst.Stmt{block})
	block.List = append(first, s)
	for _, n := range block.List {
		n.Decorations().Before, n.Decorations().After = dst.NewLine, dst.NewLine
	}
	return []dst.Stmt{block}
}

// hookStmt takes the statement apart when it writes to a hooked variable; nil
// leaves it as it is. All but definitions come as one block.
func (p *pass) hookStmt(c *dstutil.Cursor, s dst.Stmt) []dst.Stmt {
	switch s := s.(type) {
	case *dst.AssignStmt:
		simple := c.Name() == "Init" || c.Name() == "Post"
		if s.Tok == token.ASSIGN || s.Tok == token.DEFINE {
			seq := p.assignment(s, simple)
			if seq == nil && c.Index() >= 0 {
				seq = p.callsBefore(s)
			}
			return seq
		}
		if len(s.Lhs) != 1 || len(s.Rhs) != 1 {
			return nil
		}
		return p.update(s.Lhs[0], updateOps[s.Tok], s.Rhs[0])
	case *dst.IncDecStmt:
		op := token.ADD
		if s.Tok == token.DEC {
			op = token.SUB
		}
		return p.update(s.X, op, nil)
	case *dst.ExprStmt:
		return p.builtin(s)
	case *dst.RangeStmt:
		seq := p.leaveRange(c, s)
		if p.plan.control {
			if loop := p.controlRange(s); loop != nil {
				return substitute(seq, s, loop)
			}
		}
		return seq
	case *dst.SelectStmt:
		if p.plan.control {
			return []dst.Stmt{p.controlSelect(s)}
		}
	case *dst.GoStmt:
		p.detachedBuiltin(s.Call)
		if p.plan.control {
			return p.controlGo(s)
		}
	case *dst.DeferStmt:
		p.detachedBuiltin(s.Call)
	case *dst.ReturnStmt:
		return p.callsBeforeReturn(s)
	case *dst.IfStmt:
		p.callsBeforeHeader(s, &s.Init, &s.Cond)
	case *dst.SwitchStmt:
		if s.Tag != nil {
			p.callsBeforeHeader(s, &s.Init, &s.Tag)
		}
	}
	return nil
}

// assignment hooks l, … = r, … and the variables that := assigns again.
func (p *pass) assignment(s *dst.AssignStmt, simple bool) []dst.Stmt {
	hooks := make([]*hook, len(s.Lhs))
	hooked := false
	for i, l := range s.Lhs {
		hooks[i] = p.hook(p.expr(l), atomicity.Write, writeKinds...)
		hooked = hooked || hooks[i] != nil
	}
	if !hooked && !p.controlCommaOk(s) && !p.readsBefore(s.Lhs, s.Rhs) {
		return nil
	}
	if s.Tok == token.DEFINE && !hooked {
		return p.controlRedefinition(s)
	}
	if s.Tok == token.DEFINE {
		return p.redefinition(s, hooks, simple)
	}
	var seq []dst.Stmt
	targets := make([]target, len(s.Lhs))
	var err bool
	for i, l := range s.Lhs {
		t, ok := p.newTarget(l, hooks[i], len(s.Lhs) > 1, &seq)
		if !ok {
			err = true // the note says why; the rest of the statement is still right
			t = target{cell: l}
			if len(s.Lhs) > 1 {
				return nil
			}
		}
		targets[i] = t
	}
	if err {
		return nil
	}
	values, ok := p.values(s, targets, &seq)
	if !ok {
		for _, h := range hooks {
			if h != nil {
				p.unhooked(h, "the type of the assigned value cannot be named here")
			}
		}
		return nil
	}
	p.storeAll(targets, values, &seq)
	return []dst.Stmt{p.block(seq, s)}
}

// values evaluates the right-hand sides in order, one for each target. The
// value for a blank target is nil: it has been evaluated.
func (p *pass) values(s *dst.AssignStmt, targets []target, seq *[]dst.Stmt) ([]dst.Expr, bool) {
	values := make([]dst.Expr, len(targets))
	if len(s.Rhs) == 1 && len(targets) > 1 {
		names := make([]dst.Expr, len(targets))
		for i, t := range targets {
			if isBlank(t.cell) {
				names[i] = ident("_")
				continue
			}
			name := p.temp(tempPrefix)
			names[i], values[i] = ident(name), ident(name)
			if i == 1 && p.isCommaOk(s.Rhs[0]) && !isPlainBool(p.typeOf(t.cell)) {
				values[i] = &dst.BinaryExpr{X: ident(name), Op: token.EQL, Y: p.truth()}
			}
		}
		*seq = append(*seq, &dst.AssignStmt{Lhs: names, Tok: token.DEFINE, Rhs: s.Rhs})
		return values, true
	}
	for i, r := range s.Rhs {
		if isBlank(targets[i].cell) {
			*seq = append(*seq, assign(ident("_"), r))
			continue
		}
		source := p.expr(r)
		if len(targets) > 1 && source != nil && !tvConst(p.info, source) {
			// A later store must not change an earlier value, so even a
			// local variable is copied.
			v, ok := p.copied(r, source, p.typeOf(s.Lhs[i]), seq)
			if !ok {
				return nil, false
			}
			values[i] = v
			continue
		}
		if len(targets) == 1 {
			p.callsFirst(&r, seq)
		}
		v, ok := p.value(r, p.typeOf(s.Lhs[i]), seq)
		if !ok {
			return nil, false
		}
		values[i] = v
	}
	return values, true
}

func (p *pass) copied(r dst.Expr, source ast.Expr, want types.Type, seq *[]dst.Stmt) (dst.Expr, bool) {
	if id, ok := ast.Unparen(source).(*ast.Ident); ok && p.isOwn(id) {
		name := p.temp(tempPrefix)
		*seq = append(*seq, define(name, r))
		return ident(name), true
	}
	return p.value(r, want, seq)
}

// typeOf is the type of an original left-hand side, nil for others.
func (p *pass) typeOf(l dst.Expr) types.Type {
	if e := p.expr(l); e != nil {
		return p.info.TypeOf(e)
	}
	return nil
}

func isBlank(e dst.Expr) bool {
	id, ok := e.(*dst.Ident)
	return ok && id.Name == "_"
}

// isCommaOk says whether e with two results yields an untyped bool second.
func (p *pass) isCommaOk(e dst.Expr) bool {
	switch e := ast.Unparen(p.expr(e)).(type) {
	case *ast.IndexExpr, *ast.TypeAssertExpr:
		return true
	case *ast.UnaryExpr:
		return e.Op == token.ARROW
	}
	return false
}

// redefinition hooks the variables that := assigns again: they get their value
// from a temporary, and the definition of the others stays in its scope.
func (p *pass) redefinition(s *dst.AssignStmt, hooks []*hook, simple bool) []dst.Stmt {
	if simple {
		return nil // a new scope: := only defines
	}
	seq := []dst.Stmt{s}
	var values []dst.Expr
	var again []int
	for i, h := range hooks {
		if h != nil {
			again = append(again, i)
			values = append(values, nil)
		}
	}
	for n, i := range again {
		l := s.Lhs[i]
		want := p.typeOf(l)
		if len(s.Rhs) == len(s.Lhs) {
			source := p.expr(s.Rhs[i])
			if source != nil && (tvConst(p.info, source) || p.isContextual(source)) {
				t, ok := p.typeExpr(want, source.Pos())
				if !ok {
					p.unhooked(hooks[i], "the type of the assigned value cannot be named here")
					return nil
				}
				s.Rhs[i] = call(t, s.Rhs[i])
			}
		}
		name := p.temp(tempPrefix)
		s.Lhs[i] = ident(name)
		values[n] = ident(name)
		if len(s.Rhs) == 1 && len(s.Lhs) == 2 && i == 1 && p.isCommaOk(s.Rhs[0]) && !isPlainBool(want) {
			values[n] = &dst.BinaryExpr{X: ident(name), Op: token.EQL, Y: p.truth()}
		}
		t, _ := p.newTarget(l, hooks[i], false, &seq)
		p.locate(&t, &seq)
		seq = append(seq, p.store(t, values[n])...)
	}
	return seq
}

// block makes one statement of the sequence. Its statements stand for the
// source of the statement it replaces.
func (p *pass) block(seq []dst.Stmt, s dst.Stmt) dst.Stmt {
	for _, n := range seq {
		n.Decorations().Before, n.Decorations().After = dst.NewLine, dst.NewLine
	}
	return &dst.BlockStmt{List: seq}
}

// builtin hooks delete(m, k) and clear(m).
func (p *pass) builtin(s *dst.ExprStmt) []dst.Stmt {
	e, ok := dstutil.Unparen(s.X).(*dst.CallExpr)
	if !ok {
		return nil
	}
	source := p.expr(e)
	if h := p.hook(source, atomicity.Write, access.MapElement); h != nil && h.access.Method == "delete" && len(e.Args) == 2 {
		key, ok := p.key(h, e.Args[1])
		if !ok {
			return nil
		}
		constant := tvConst(p.info, h.access.Key)
		var seq []dst.Stmt
		e.Args[0] = p.intoTemp(e.Args[0], &seq)
		e.Args[1] = key
		if !constant {
			e.Args[1] = p.intoTemp(key, &seq)
		}
		*s.Decorations() = dst.NodeDecs{}
		seq = append(seq, p.around(target{hook: h, m: e.Args[0], k: e.Args[1]}, &dst.ExprStmt{X: e})...)
		return []dst.Stmt{p.block(seq, s)}
	}
	if h := p.hook(source, atomicity.Write, access.MapWhole); h != nil && h.access.Method == "clear" && len(e.Args) == 1 && p.takesMap(h) {
		var seq []dst.Stmt
		m := p.intoTemp(e.Args[0], &seq)
		e.Args[0] = m
		at := p.heal("MapPointer", again(m))
		seq = append(seq, p.bracketed(h, at, number(1), &dst.ExprStmt{X: e})...)
		return []dst.Stmt{p.block(seq, s)}
	}
	return nil
}

// detachedBuiltin notes a write that happens when a deferred call or another
// goroutine runs, where no hook can stand around it.
func (p *pass) detachedBuiltin(e *dst.CallExpr) {
	source := p.expr(e)
	if h := p.hook(source, atomicity.Write, access.MapElement, access.MapWhole); h != nil {
		p.unhooked(h, "%s is the function of a %s statement", h.access.Method, p.detached[e])
	}
}

// moveDecorations gives the line breaks and comments around s to what replaces
// it.
func moveDecorations(s dst.Stmt, seq []dst.Stmt) {
	if seq[0] != s {
		from := *s.Decorations()
		*s.Decorations() = dst.NodeDecs{}
		first, last := seq[0].Decorations(), seq[len(seq)-1].Decorations()
		first.Before, first.Start = from.Before, from.Start
		last.After, last.End = from.After, from.End
		return
	}
	for _, n := range seq[1:] {
		n.Decorations().Before = dst.NewLine
	}
}

func liftDecorations(from, to dst.Stmt) {
	f, t := from.Decorations(), to.Decorations()
	t.Before, t.Start = f.Before, f.Start
	f.Before, f.Start = dst.NewLine, nil
}
