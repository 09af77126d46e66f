package variant

import (
	"go/token"
	"go/types"
	"strings"

	"github.com/dave/dst"
	"github.com/dave/dst/dstutil"
)

// sections change how critical sections are written.
var sections = []Variant{
	{"unlock-at-returns", unlockAtReturns},
	{"unlock-deferred", unlockDeferred},
	{"unlock-in-literal", unlockInLiteral},
	{"section-in-literal", sectionInLiteral},
}

func release(method string) string { return strings.Replace(method, "Lock", "Unlock", 1) }

// isUnlock says that s releases the lock that was taken by method.
func (p *program) isUnlock(s dst.Stmt, lock, method string) (yes, deferred bool) {
	l, m, deferred := p.lockCall(s)
	return l != nil && path(l) == lock && m == release(method), deferred
}

// unlockAtReturns turns a deferred Unlock into one before each return.
func unlockAtReturns(p *program) {
	for _, fn := range p.functions() {
		list := fn.Body.List
		for i := 0; i+1 < len(list); i++ {
			lock, method, deferred := p.lockCall(list[i])
			if lock == nil || deferred {
				continue
			}
			if yes, deferred := p.isUnlock(list[i+1], path(lock), method); !yes || !deferred {
				continue
			}
			if anyMentions(append(append([]dst.Stmt(nil), list[:i]...), list[i+2:]...), func(n dst.Node) bool {
				_, ok := n.(*dst.DeferStmt)
				return ok
			}) {
				break
			}
			text := path(lock) + "." + release(method) + "()"
			rest := &dst.BlockStmt{List: append([]dst.Stmt(nil), list[i+2:]...)}
			if p.beforeReturns(fn, rest, text) {
				if !terminates(rest.List) {
					rest.List = append(rest.List, statements(text)...)
				}
				fn.Body.List = append(list[:i+1:i+1], rest.List...)
				p.changed = true
			}
			break
		}
	}
}

// beforeReturns puts the call before each return of fn in body, after what is returned
// has been computed.
func (p *program) beforeReturns(fn *dst.FuncDecl, body *dst.BlockStmt, call string) bool {
	var sig *types.Signature
	if f, ok := p.object(fn.Name).(*types.Func); ok {
		sig = f.Signature()
	}
	fits := sig != nil
	for i := 0; fits && i < sig.Results().Len(); i++ {
		fits = p.text(sig.Results().At(i).Type()) != ""
	}
	if !fits {
		return false
	}
	edit := func(list []dst.Stmt) []dst.Stmt {
		var out []dst.Stmt
		for _, s := range list {
			if r, ok := s.(*dst.ReturnStmt); ok {
				if sig.Results().Len() > 1 && len(r.Results) == 1 {
					var names []string
					for range sig.Results().Len() {
						names = append(names, p.fresh("result"))
					}
					out = append(out, statements(strings.Join(names, ", ")+" := arg0", r.Results[0])...)
					r.Results = nil
					for _, name := range names {
						r.Results = append(r.Results, dst.NewIdent(name))
					}
				}
				for i, e := range r.Results {
					if id, ok := e.(*dst.Ident); ok && (p.variable(id) == nil || p.variable(id).Parent() != p.pkg.Scope()) {
						continue // nil, true, a constant, a local, a result just made
					}
					if _, ok := e.(*dst.BasicLit); ok {
						continue
					}
					name := p.fresh("result")
					text := "var " + name + " " + p.text(sig.Results().At(i).Type()) + " = arg0"
					if t := p.typeOf(e); t != nil && types.Identical(t, sig.Results().At(i).Type()) && !p.constant(e) {
						text = name + " := arg0"
					}
					out = append(out, statements(text, e)...)
					r.Results[i] = dst.NewIdent(name)
				}
				out = append(out, statements(call)...)
			}
			out = append(out, s)
		}
		return out
	}
	dstutil.Apply(body, func(c *dstutil.Cursor) bool {
		_, lit := c.Node().(*dst.FuncLit)
		return !lit
	}, func(c *dstutil.Cursor) bool {
		switch n := c.Node().(type) {
		case *dst.BlockStmt:
			n.List = edit(n.List)
		case *dst.CaseClause:
			n.Body = edit(n.Body)
		case *dst.CommClause:
			n.Body = edit(n.Body)
		}
		return true
	})
	return true
}

// unlockDeferred turns the Unlock at the end of a function into a deferred one.
func unlockDeferred(p *program) {
	edit := func(body *dst.BlockStmt) {
		list := body.List
		for i, s := range list {
			lock, method, deferred := p.lockCall(s)
			if lock == nil || deferred {
				continue
			}
			last := len(list) - 1
			if r, ok := list[last].(*dst.ReturnStmt); ok {
				for _, e := range r.Results {
					if _, ok := e.(*dst.Ident); !ok {
						return
					}
				}
				last--
			}
			if last <= i {
				return
			}
			if yes, deferred := p.isUnlock(list[last], path(lock), method); !yes || deferred {
				continue
			}
			others := 0
			dst.Inspect(body, func(n dst.Node) bool {
				if s, ok := n.(dst.Stmt); ok {
					if l, _, _ := p.lockCall(s); l != nil && path(l) == path(lock) {
						others++
					}
				}
				return true
			})
			if others > 2 {
				return
			}
			made := append(list[:i+1:i+1], &dst.DeferStmt{Call: list[last].(*dst.ExprStmt).X.(*dst.CallExpr)})
			made = append(made, list[i+1:last]...)
			body.List = append(made, list[last+1:]...)
			p.changed = true
			return
		}
	}
	for _, fn := range p.functions() {
		edit(fn.Body)
		dst.Inspect(fn.Body, func(n dst.Node) bool {
			if lit, ok := n.(*dst.FuncLit); ok {
				edit(lit.Body)
			}
			return true
		})
	}
}

// unlockInLiteral puts deferred Unlocks into a function literal.
func unlockInLiteral(p *program) {
	p.perStatement(func(_ *dst.FuncDecl, s dst.Stmt) []dst.Stmt {
		if lock, _, deferred := p.lockCall(s); lock != nil && deferred {
			return statements("defer func() { arg0 }()", []dst.Stmt{&dst.ExprStmt{X: s.(*dst.DeferStmt).Call}})
		}
		return nil
	})
}

// A span is a critical section from Lock to Unlock in one list of statements.
type span struct{ first, last int }

// spans are the critical sections of a list that nothing leaves in between.
func (p *program) spans(list []dst.Stmt) []span {
	var found []span
	for i := 0; i < len(list); i++ {
		lock, method, deferred := p.lockCall(list[i])
		if lock == nil || deferred || release(method) == method {
			continue
		}
		for j := i + 1; j < len(list); j++ {
			if yes, deferred := p.isUnlock(list[j], path(lock), method); yes && !deferred {
				if !anyMentions(list[i:j+1], leaves) {
					found = append(found, span{i, j})
				}
				i = j
				break
			}
		}
	}
	return found
}

// leaves says that n may lead out of the statements that it is part of.
func leaves(n dst.Node) bool {
	switch n := n.(type) {
	case *dst.ReturnStmt, *dst.DeferStmt, *dst.LabeledStmt:
		return true
	case *dst.BranchStmt:
		return n.Tok != token.FALLTHROUGH
	}
	return false
}

// sectionInLiteral puts critical sections into function literals that are called at once.
func sectionInLiteral(p *program) {
	for _, fn := range p.functions() {
		lists(fn.Body, func(list []dst.Stmt) []dst.Stmt {
			found := p.spans(list)
			for k := len(found) - 1; k >= 0; k-- {
				s := found[k]
				section := append([]dst.Stmt(nil), list[s.first:s.last+1]...)
				declared, ok := p.hoist(section)
				if !ok {
					continue
				}
				lock, method, _ := p.lockCall(section[0])
				section = section[1 : len(section)-1]
				made := append(declared, statements("func() { "+path(lock)+"."+method+"()\n defer "+path(lock)+"."+release(method)+"()\n arg0 }()", section)...)
				list = append(append(append([]dst.Stmt(nil), list[:s.first]...), made...), list[s.last+1:]...)
				p.changed = true
			}
			return list
		})
	}
}

// hoist declares what the statements of the list define before them.
func (p *program) hoist(list []dst.Stmt) (declared []dst.Stmt, ok bool) {
	for _, s := range list {
		if _, ok := s.(*dst.DeclStmt); ok {
			return nil, false
		}
		a, ok := s.(*dst.AssignStmt)
		if !ok || a.Tok != token.DEFINE {
			continue
		}
		for _, e := range a.Lhs {
			id, ok := e.(*dst.Ident)
			if !ok {
				return nil, false
			}
			if v := p.defines(id); v != nil && id.Name != "_" {
				text := p.text(v.Type())
				if text == "" {
					return nil, false
				}
				declared = append(declared, statements("var "+id.Name+" "+text)...)
			}
		}
	}
	for _, s := range list {
		if a, ok := s.(*dst.AssignStmt); ok && a.Tok == token.DEFINE {
			a.Tok = token.ASSIGN
		}
	}
	return declared, true
}

// terminates says that control does not go beyond the list.
func terminates(list []dst.Stmt) bool {
	if len(list) == 0 {
		return false
	}
	switch s := list[len(list)-1].(type) {
	case *dst.ReturnStmt:
		return true
	case *dst.BranchStmt:
		return s.Tok != token.FALLTHROUGH
	case *dst.BlockStmt:
		return terminates(s.List)
	case *dst.IfStmt:
		switch other := s.Else.(type) {
		case *dst.BlockStmt:
			return terminates(s.Body.List) && terminates(other.List)
		case *dst.IfStmt:
			return terminates(s.Body.List) && terminates([]dst.Stmt{other})
		}
	case *dst.ExprStmt:
		if call, ok := s.X.(*dst.CallExpr); ok {
			id, ok := call.Fun.(*dst.Ident)
			return ok && id.Name == "panic"
		}
	case *dst.ForStmt:
		return s.Cond == nil && !mentions(s.Body, func(n dst.Node) bool {
			b, ok := n.(*dst.BranchStmt)
			return ok && b.Tok == token.BREAK
		})
	case *dst.SwitchStmt, *dst.SelectStmt, *dst.TypeSwitchStmt:
		return everyArm(s)
	}
	return false
}

// everyArm says that no arm of a switch or select goes on behind it.
func everyArm(s dst.Stmt) bool {
	body, complete := (*dst.BlockStmt)(nil), false
	switch s := s.(type) {
	case *dst.SwitchStmt:
		body = s.Body
	case *dst.TypeSwitchStmt:
		body = s.Body
	case *dst.SelectStmt:
		body, complete = s.Body, true
	}
	for _, arm := range body.List {
		switch arm := arm.(type) {
		case *dst.CaseClause:
			complete = complete || arm.List == nil
			if !terminates(arm.Body) {
				return false
			}
		case *dst.CommClause:
			if !terminates(arm.Body) {
				return false
			}
		}
	}
	return complete && !mentions(body, func(n dst.Node) bool {
		b, ok := n.(*dst.BranchStmt)
		return ok && b.Tok == token.BREAK
	})
}
