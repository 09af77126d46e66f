package rewrite

import (
	"go/ast"
	"go/token"
)

// A body leaves the region if control that enters it comes to no end any more, as in
//
//	c, ok := g.calls[key]
//	if ok {
//		<-c.done
//		return c.value
//	}
//	g.calls[key] = new(call)
//
// The section closes where such a body begins, and not where it returns: what the body
// does besides, which may wait for others, is no part of it.

// leaving lists the bodies of s, a statement of the region before the last one with an
// end, that leave the region.
func (r *region) leaving(s ast.Stmt) []ast.Node {
	var bodies []ast.Node
	add := func(body ast.Node, list []ast.Stmt) {
		if r.leaves(body, list) {
			bodies = append(bodies, body)
		}
	}
	switch s := s.(type) {
	case *ast.LabeledStmt:
		return r.leaving(s.Stmt)
	case *ast.IfStmt:
		add(s.Body, s.Body.List)
		switch e := s.Else.(type) {
		case *ast.BlockStmt:
			add(e, e.List)
		case *ast.IfStmt:
			bodies = append(bodies, r.leaving(e)...)
		}
	case *ast.SwitchStmt:
		for i, c := range s.Body.List {
			c := c.(*ast.CaseClause)
			if i == 0 || !falls(s.Body.List[i-1].(*ast.CaseClause)) {
				add(c, c.Body)
			}
		}
	case *ast.TypeSwitchStmt:
		for _, c := range s.Body.List {
			add(c, c.(*ast.CaseClause).Body)
		}
	}
	return bodies
}

// leaves says whether the body, which holds neither entry nor end, surely leaves the
// region. One statement alone is closed where it stands, by jumps.
func (r *region) leaves(body ast.Node, list []ast.Stmt) bool {
	if len(list) < 2 || !isTerminating(list[len(list)-1]) || r.hasEnd(body) || contains(body, r.entry) {
		return false
	}
	t := newTargets(bodyOf(r.section.entry.Scope))
	from, to := r.stmts[0].Pos(), r.stmts[len(r.stmts)-1].End()
	leaves := true
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BranchStmt:
			at := t.of(n)
			within := at != nil && body.Pos() <= at.Pos() && at.End() <= body.End()
			outside := at != nil && (at.Pos() < from || at.End() > to)
			leaves = leaves && n.Tok != token.FALLTHROUGH && (within || outside)
		}
		return leaves
	})
	return leaves
}

// closeLeaving puts an exit at the start of each body of s that leaves the region.
func (r *region) closeLeaving(s ast.Stmt) {
	for _, body := range r.leaving(s) {
		r.closed = append(r.closed, body)
		n := r.pass.dec.Dst.Nodes[body]
		r.pass.start[n] = append(r.pass.start[n], r.exit(body))
	}
}

// liveBefore is what of s, a statement before the last one with an end, runs while the
// section is open: all of it but for the bodies that leave the region.
func (r *region) liveBefore(s ast.Stmt) []ast.Node {
	closed := r.leaving(s)
	if len(closed) == 0 {
		return []ast.Node{s}
	}
	var live []ast.Node
	var parts func(n ast.Node)
	parts = func(n ast.Node) {
		for _, body := range closed {
			if n == body {
				if c, ok := n.(*ast.CaseClause); ok {
					for _, e := range c.List {
						live = append(live, e)
					}
				}
				return
			}
		}
		holds := false
		for _, body := range closed {
			holds = holds || n.Pos() <= body.Pos() && body.End() <= n.End()
		}
		if !holds {
			live = append(live, n)
			return
		}
		ast.Inspect(n, func(child ast.Node) bool {
			if child != nil && child != n {
				parts(child)
			}
			return child == n
		})
	}
	parts(s)
	return live
}
