package rewrite

import (
	"go/ast"
	"go/token"
	"slices"

	"github.com/dave/dst"
)

// region is the code of one section: the statements of the innermost list
// that holds the entry and all ends, from the one with the entry to the last
// one with an end. Every way out of it that is not an end is an atomExit
// (papers/001 section 3.2). Return, panic and Goexit need no statement: the
// deferred End of the frame closes what is still open.
type region struct {
	pass    *pass
	section *section
	stmts   []ast.Stmt
	entry   ast.Expr
	ends    []ast.Expr
	closed  []ast.Node // bodies that begin with the exit
}

// placeExits finds where the sections of the file's functions need an explicit
// atomExit.
func (p *pass) placeExits() {
	for _, s := range p.plan.sections {
		if s.fn.File != p.file {
			continue
		}
		p.hooks.Sections++
		if r := p.newRegion(s); r != nil {
			r.close(r.stmts)
			r.jumps()
			r.rounds()
		}
	}
}

func (p *pass) newRegion(s *section) *region {
	r := &region{pass: p, section: s, entry: s.entry.Expr}
	for _, e := range s.ends {
		if e.Scope == s.entry.Scope {
			r.ends = append(r.ends, e.Expr)
		}
	}
	body := bodyOf(s.entry.Scope)
	if body == nil || len(r.ends) == 0 {
		return nil
	}
	r.stmts = r.innermost(body)
	if loop := r.roundAgain(body); loop != nil && len(r.ends) > 1 {
		r.stmts = []ast.Stmt{loop}
		return r
	}
	first, last := -1, -1
	for i, stmt := range r.stmts {
		if first < 0 && contains(stmt, r.entry) {
			first = i
		}
		if r.hasEnd(stmt) || contains(stmt, r.entry) {
			last = i
		}
	}
	if first < 0 || last < first {
		return nil
	}
	r.stmts = r.stmts[first : last+1]
	return r
}

func bodyOf(scope ast.Node) *ast.BlockStmt {
	switch s := scope.(type) {
	case *ast.FuncDecl:
		return s.Body
	case *ast.FuncLit:
		return s.Body
	}
	return nil
}

// contains says whether the expression stands in n.
func contains(n ast.Node, e ast.Expr) bool { return n.Pos() <= e.Pos() && e.End() <= n.End() }

func (r *region) hasEnd(n ast.Node) bool {
	for _, e := range r.ends {
		if contains(n, e) {
			return true
		}
	}
	return false
}

// innermost is the innermost statement list that holds entry and ends.
func (r *region) innermost(body *ast.BlockStmt) []ast.Stmt {
	best := body.List
	holdsAll := func(list []ast.Stmt) bool {
		if len(list) == 0 {
			return false
		}
		from, to := list[0].Pos(), list[len(list)-1].End()
		for _, e := range append([]ast.Expr{r.entry}, r.ends...) {
			if e.Pos() < from || e.End() > to {
				return false
			}
		}
		return true
	}
	ast.Inspect(body, func(n ast.Node) bool {
		var list []ast.Stmt
		switch n := n.(type) {
		case *ast.FuncLit:
			return false // another activation
		case *ast.BlockStmt:
			list = n.List
			if len(list) > 0 && isClause(list[0]) {
				return true
			}
		case *ast.CaseClause:
			list = n.Body
		case *ast.CommClause:
			list = n.Body
		default:
			return true
		}
		if holdsAll(list) {
			best = list // the walk goes outside in
		}
		return true
	})
	return best
}

// roundAgain is the innermost loop, with its labels, that holds entry and ends if the
// entry is an end, too (circular, papers/001 section 3.2): there the next round is no way
// out, but the way to that end.
func (r *region) roundAgain(body *ast.BlockStmt) (loop ast.Stmt) {
	if !slices.Contains(r.ends, r.entry) {
		return nil
	}
	labelled := map[ast.Stmt]ast.Stmt{}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.LabeledStmt:
			if s := unlabelled(n); labelled[s] == nil {
				labelled[s] = n
			}
		case *ast.ForStmt, *ast.RangeStmt:
			for _, e := range r.ends {
				if !contains(n, e) {
					return true
				}
			}
			loop = n.(ast.Stmt) // the walk goes outside in
		}
		return true
	})
	if l := labelled[loop]; l != nil {
		return l // a label has to stand right at its loop
	}
	return loop
}

func isClause(s ast.Stmt) bool {
	switch s.(type) {
	case *ast.CaseClause, *ast.CommClause:
		return true
	}
	return false
}

// close puts an exit after the last statement of the list with an end, unless
// that surely ends the section, on its branches that lead to no end, and on those of
// the statements before it that leave the region.
func (r *region) close(list []ast.Stmt) {
	last := -1
	for i, s := range list {
		if r.hasEnd(s) {
			last = i
		}
	}
	if last < 0 {
		return
	}
	for _, s := range list[:last] {
		r.closeLeaving(s)
	}
	s := list[last]
	r.branches(s)
	if !isSimple(s) && !isTerminating(s) {
		r.after(s)
	}
}

// branches handles the parts of s of which only one is executed.
func (r *region) branches(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.BlockStmt:
		r.close(s.List)
	case *ast.LabeledStmt:
		r.branches(s.Stmt)
	case *ast.IfStmt:
		r.branch(s.Body, s.Body.List)
		switch e := s.Else.(type) {
		case *ast.BlockStmt:
			r.branch(e, e.List)
		case *ast.IfStmt:
			r.branches(e)
		}
	case *ast.SwitchStmt:
		r.clauses(s.Body)
	case *ast.TypeSwitchStmt:
		r.clauses(s.Body)
	case *ast.SelectStmt:
		r.clauses(s.Body)
	}
}

func (r *region) clauses(body *ast.BlockStmt) {
	for _, c := range body.List {
		switch c := c.(type) {
		case *ast.CaseClause:
			r.branch(c, c.Body)
		case *ast.CommClause:
			r.branch(c, c.Body)
		}
	}
}

// branch closes the section at the start of a body that holds no end.
func (r *region) branch(body ast.Node, list []ast.Stmt) {
	switch {
	case r.hasEnd(body):
		r.close(list)
	case contains(body, r.entry):
	default:
		r.closed = append(r.closed, body)
		n := r.pass.dec.Dst.Nodes[body]
		r.pass.start[n] = append(r.pass.start[n], r.exit(body))
	}
}

// jumps closes the section before the statements that leave the region.
func (r *region) jumps() {
	from, to := r.stmts[0].Pos(), r.stmts[len(r.stmts)-1].End()
	inside := func(n ast.Node) bool { return n != nil && from <= n.Pos() && n.End() <= to }
	t := newTargets(bodyOf(r.section.entry.Scope))
	for _, s := range r.stmts {
		ast.Inspect(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.BranchStmt:
				if n.Tok != token.FALLTHROUGH && !inside(t.of(n)) {
					r.before(n)
				}
			case *ast.ReturnStmt:
				if !r.hasEnd(n) && !contains(n, r.entry) {
					r.before(n)
				}
			}
			return true
		})
	}
}

// rounds closes the section on each way round a loop whose condition enters
// it: the end of the body, and continue.
func (r *region) rounds() {
	loop, ok := unlabelled(r.stmts[len(r.stmts)-1]).(*ast.ForStmt)
	if !ok || loop.Cond == nil || !contains(loop.Cond, r.entry) || len(loop.Body.List) == 0 {
		return
	}
	if last := loop.Body.List[len(loop.Body.List)-1]; !isTerminating(last) {
		r.after(last)
	}
	t := newTargets(bodyOf(r.section.entry.Scope))
	ast.Inspect(loop.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BranchStmt:
			if n.Tok == token.CONTINUE && t.of(n) == ast.Node(loop) {
				r.before(n)
			}
		}
		return true
	})
}

// live lists what runs while the section is open: the statements of the region
// without what follows its end in a branch, and without branches that close it. It
// may be more than that.
func (r *region) live() []ast.Node {
	return r.liveIn(r.stmts)
}

func (r *region) liveIn(list []ast.Stmt) []ast.Node {
	last, ends := -1, false
	for i, s := range list {
		if r.hasEnd(s) || contains(s, r.entry) {
			last, ends = i, ends || r.hasEnd(s)
		}
	}
	var live []ast.Node
	if !ends { // a branch with the entry alone stays open to its end
		for _, s := range list {
			live = append(live, s)
		}
		return live
	}
	for i, s := range list[:last+1] {
		if i < last || !r.hasEnd(s) {
			live = append(live, r.liveBefore(s)...)
			continue
		}
		live = append(live, r.liveParts(s)...)
	}
	return live
}

// liveParts is the same for the last statement with an end.
func (r *region) liveParts(s ast.Stmt) []ast.Node {
	var live []ast.Node
	add := func(n ast.Node, isNil bool) {
		if !isNil {
			live = append(live, n)
		}
	}
	part := func(body ast.Node, list []ast.Stmt) {
		if r.hasEnd(body) || contains(body, r.entry) {
			live = append(live, r.liveIn(list)...)
		}
	}
	switch s := s.(type) {
	case *ast.BlockStmt:
		return r.liveIn(s.List)
	case *ast.LabeledStmt:
		return r.liveParts(s.Stmt)
	case *ast.IfStmt:
		add(s.Init, s.Init == nil)
		add(s.Cond, s.Cond == nil)
		part(s.Body, s.Body.List)
		switch e := s.Else.(type) {
		case *ast.BlockStmt:
			part(e, e.List)
		case *ast.IfStmt:
			live = append(live, r.liveParts(e)...)
		}
		return live
	case *ast.ForStmt:
		if s.Cond == nil || !contains(s.Cond, r.entry) || r.hasEnd(s.Cond) || s.Post != nil && r.hasEnd(s.Post) {
			break
		}
		live = append(live, s.Cond) // a round ends with the section, see rounds
		last := -1
		for i, inner := range s.Body.List {
			if r.hasEnd(inner) {
				last = i
			}
		}
		for _, inner := range s.Body.List[:last+1] {
			live = append(live, inner)
		}
		return live
	case *ast.SwitchStmt:
		add(s.Init, s.Init == nil)
		add(s.Tag, s.Tag == nil)
		for _, c := range s.Body.List {
			c := c.(*ast.CaseClause)
			for _, e := range c.List {
				add(e, false)
			}
			if !falls(c) {
				part(c, c.Body)
			} else {
				add(c, false)
			}
		}
		return live
	}
	return []ast.Node{s}
}

// falls says whether the clause ends in a fallthrough.
func falls(c *ast.CaseClause) bool {
	if len(c.Body) == 0 {
		return false
	}
	b, ok := c.Body[len(c.Body)-1].(*ast.BranchStmt)
	return ok && b.Tok == token.FALLTHROUGH
}

func unlabelled(s ast.Stmt) ast.Stmt {
	for {
		l, ok := s.(*ast.LabeledStmt)
		if !ok {
			return s
		}
		s = l.Stmt
	}
}

func (r *region) before(s ast.Stmt) {
	for _, body := range r.closed {
		if body.Pos() <= s.Pos() && s.End() <= body.End() {
			return
		}
	}
	n, ok := r.pass.dec.Dst.Nodes[s].(dst.Stmt)
	if ok {
		r.pass.before[n] = append(r.pass.before[n], r.exit(s))
	}
}

func (r *region) after(s ast.Stmt) {
	n, ok := r.pass.dec.Dst.Nodes[s].(dst.Stmt)
	if ok {
		r.pass.after[n] = append(r.pass.after[n], r.exit(s))
	}
}

func (r *region) exit(near ast.Node) dst.Stmt {
	p := r.pass
	p.hooks.Exits++
	p.changed = true
	p.frames[r.section.entry.Scope] = true
	x := &dst.IndexExpr{X: ident("_ar_sections" + r.section.table.suffix), Index: number(r.section.index)}
	s := statement(call(selector(frameName, "Exit"), address(x)))
	s.Decorations().Before, s.Decorations().After = dst.NewLine, dst.NewLine
	p.attribute(s, near)
	return s
}

// isSimple says whether executing s always passes through all its accesses:
// no branch, and no function literal or short circuit that could leave some
// out.
func isSimple(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.AssignStmt, *ast.IncDecStmt, *ast.SendStmt, *ast.ReturnStmt, *ast.ExprStmt:
		simple := true
		ast.Inspect(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				simple = false
			case *ast.BinaryExpr:
				if n.Op == token.LAND || n.Op == token.LOR {
					simple = false
				}
			}
			return simple
		})
		return simple
	}
	return false
}
