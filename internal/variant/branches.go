package variant

import (
	"go/token"

	"github.com/dave/dst"
	"github.com/dave/dst/dstutil"
)

// branches change how the ways through a function are written.
var branches = []Variant{
	{"early-else", earlyElse},
	{"early-inverted", earlyInverted},
	{"if-switch", ifSwitch},
	{"else-early", elseEarly},
	{"init-before", initBefore},
	{"init-inside", initInside},
	{"loop-around", loopAround},
	{"block-around", blockAround},
}

// early is an if statement without else whose body does not go on behind it.
func early(s dst.Stmt) *dst.IfStmt {
	i, ok := s.(*dst.IfStmt)
	if !ok || i.Else != nil || !terminates(i.Body.List) {
		return nil
	}
	return i
}

// earlyElse puts what follows an early return into its else.
func earlyElse(p *program) {
	p.wrapRest(func(_ *dst.FuncDecl, i *dst.IfStmt, rest []dst.Stmt) []dst.Stmt {
		i.Else = &dst.BlockStmt{List: rest}
		return []dst.Stmt{i}
	})
}

// earlyInverted puts what follows an early return into the if, with the condition
// turned round, and the early return behind it.
func earlyInverted(p *program) {
	p.wrapRest(func(_ *dst.FuncDecl, i *dst.IfStmt, rest []dst.Stmt) []dst.Stmt {
		body := i.Body
		i.Cond, i.Body = p.negated(i.Cond), &dst.BlockStmt{List: rest}
		if i.Init == nil && terminates(rest) {
			return append([]dst.Stmt{i}, body.List...)
		}
		i.Else = body
		return []dst.Stmt{i}
	})
}

// wrapRest calls edit for each early return and what follows it in its list.
func (p *program) wrapRest(edit func(fn *dst.FuncDecl, i *dst.IfStmt, rest []dst.Stmt) []dst.Stmt) {
	for _, fn := range p.functions() {
		lists(fn.Body, func(list []dst.Stmt) []dst.Stmt {
			for k := len(list) - 2; k >= 0; k-- {
				rest := list[k+1:]
				if i := early(list[k]); i != nil && !labelled(rest) {
					list = append(list[:k:k], edit(fn, i, rest)...)
					p.changed = true
				}
			}
			return list
		})
	}
}

func labelled(list []dst.Stmt) bool {
	for _, s := range list {
		if _, ok := s.(*dst.LabeledStmt); ok {
			return true
		}
	}
	return false
}

// elseEarly takes what is in an else behind the if where its body does not go on, and
// makes an early return of an if that is the last statement of a function without
// results.
func elseEarly(p *program) {
	for _, fn := range p.functions() {
		if last := len(fn.Body.List) - 1; last >= 0 && fn.Type.Results == nil {
			if i, ok := fn.Body.List[last].(*dst.IfStmt); ok && i.Else == nil && i.Init == nil {
				cond := p.negated(i.Cond)
				fn.Body.List = append(append(fn.Body.List[:last:last], statements("if arg0 {\nreturn\n}", cond)...), i.Body.List...)
				p.changed = true
			}
		}
	}
	p.perStatement(func(_ *dst.FuncDecl, s dst.Stmt) []dst.Stmt {
		i, ok := s.(*dst.IfStmt)
		if !ok || i.Else == nil || i.Init != nil || !terminates(i.Body.List) {
			return nil
		}
		rest, ok := i.Else.(*dst.BlockStmt)
		if !ok {
			return nil
		}
		for _, s := range rest.List {
			if a, ok := s.(*dst.AssignStmt); ok && a.Tok == token.DEFINE {
				return nil
			}
		}
		i.Else = nil
		return append([]dst.Stmt{i}, rest.List...)
	})
}

// ifSwitch turns if statements into switches without a tag.
func ifSwitch(p *program) {
	p.perStatement(func(_ *dst.FuncDecl, s dst.Stmt) []dst.Stmt {
		i, ok := s.(*dst.IfStmt)
		if !ok || mentions(i, func(n dst.Node) bool {
			b, ok := n.(*dst.BranchStmt)
			return ok && b.Tok == token.BREAK && b.Label == nil
		}) {
			return nil
		}
		made := &dst.SwitchStmt{Init: i.Init, Body: &dst.BlockStmt{}}
		add := func(cond []dst.Expr, body []dst.Stmt) {
			made.Body.List = append(made.Body.List, &dst.CaseClause{List: cond, Body: body})
		}
		for at := i; ; {
			add([]dst.Expr{at.Cond}, at.Body.List)
			next, ok := at.Else.(*dst.IfStmt)
			if !ok || next.Init != nil {
				if at.Else != nil {
					other, ok := at.Else.(*dst.BlockStmt)
					if !ok {
						other = &dst.BlockStmt{List: []dst.Stmt{at.Else}}
					}
					add(nil, other.List)
				}
				return []dst.Stmt{made}
			}
			at = next
		}
	})
}

// initBefore moves the statement of an if before it.
func initBefore(p *program) {
	for _, fn := range p.functions() {
		times := map[string]int{}
		dst.Inspect(fn, func(n dst.Node) bool {
			if id, ok := n.(*dst.Ident); ok && p.defines(id) != nil {
				times[id.Name]++
			}
			return true
		})
		lists(fn.Body, func(list []dst.Stmt) []dst.Stmt {
			var out []dst.Stmt
			for _, s := range list {
				if i, ok := s.(*dst.IfStmt); ok && i.Init != nil {
					free := true
					if a, ok := i.Init.(*dst.AssignStmt); ok && a.Tok == token.DEFINE {
						for _, e := range a.Lhs {
							id, ok := e.(*dst.Ident)
							free = free && ok && (id.Name == "_" || times[id.Name] == 1)
						}
					}
					if free {
						out = append(out, i.Init)
						i.Init = nil
						p.changed = true
					}
				}
				out = append(out, s)
			}
			return out
		})
	}
}

// initInside moves a definition before an if into it, where nothing else uses it.
func initInside(p *program) {
	for _, fn := range p.functions() {
		lists(fn.Body, func(list []dst.Stmt) []dst.Stmt {
			for k := len(list) - 2; k >= 0; k-- {
				a, ok := list[k].(*dst.AssignStmt)
				i, isIf := list[k+1].(*dst.IfStmt)
				if !ok || !isIf || a.Tok != token.DEFINE || i.Init != nil {
					continue
				}
				fits := true
				for _, e := range a.Lhs {
					id, ok := e.(*dst.Ident)
					if !ok || id.Name != "_" && p.defines(id) == nil {
						fits = false
						break
					}
					v := p.defines(id)
					fits = fits && !anyMentions(list[k+2:], func(n dst.Node) bool {
						id, ok := n.(*dst.Ident)
						return ok && v != nil && p.object(id) == v
					})
				}
				if fits {
					i.Init = a
					list = append(list[:k:k], list[k+1:]...)
					p.changed = true
				}
			}
			return list
		})
	}
}

// loopAround puts the bodies of functions into a loop that is left at its end.
func loopAround(p *program) {
	for _, fn := range p.functions() {
		if len(fn.Body.List) < 2 || anyMentions(fn.Body.List, func(n dst.Node) bool {
			_, label := n.(*dst.LabeledStmt)
			return label
		}) {
			continue
		}
		list := fn.Body.List
		if !terminates(list) {
			if fn.Type.Results != nil {
				continue
			}
			list = append(list, &dst.ReturnStmt{})
		}
		fn.Body.List = statements("for { arg0 }", list)
		p.changed = true
	}
}

// blockAround puts the branches of if statements, and the conditions, into blocks and
// parentheses.
func blockAround(p *program) {
	for _, fn := range p.functions() {
		dstutil.Apply(fn.Body, nil, func(c *dstutil.Cursor) bool {
			if i, ok := c.Node().(*dst.IfStmt); ok {
				i.Cond = &dst.ParenExpr{X: i.Cond}
				i.Body.List = []dst.Stmt{&dst.BlockStmt{List: i.Body.List}}
				p.changed = true
			}
			return true
		})
	}
}
