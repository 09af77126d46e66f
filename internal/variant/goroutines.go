package variant

import (
	"github.com/dave/dst"
)

// goroutines change how goroutines are started.
var goroutines = []Variant{
	{"go-literal", goLiteral},
	{"go-named", goNamed},
	{"go-group", goGroup},
	{"go-method", goMethod},
}

// goLiteral starts methods and functions inside a function literal.
func goLiteral(p *program) {
	p.perStatement(func(_ *dst.FuncDecl, s dst.Stmt) []dst.Stmt {
		g, ok := s.(*dst.GoStmt)
		if !ok {
			return nil
		}
		if _, lit := g.Call.Fun.(*dst.FuncLit); lit {
			return nil
		}
		return statements("go func() { arg0 }()", []dst.Stmt{&dst.ExprStmt{X: g.Call}})
	})
}

// goNamed gives what is started a name first.
func goNamed(p *program) {
	p.perStatement(func(_ *dst.FuncDecl, s dst.Stmt) []dst.Stmt {
		g, ok := s.(*dst.GoStmt)
		if !ok {
			return nil
		}
		name := p.fresh("run")
		made := statements(name+" := arg0", g.Call.Fun)
		g.Call.Fun = dst.NewIdent(name)
		return append(made, g)
	})
}

// goGroup starts goroutines by a sync.WaitGroup.
func goGroup(p *program) {
	p.perStatement(func(_ *dst.FuncDecl, s dst.Stmt) []dst.Stmt {
		g, ok := s.(*dst.GoStmt)
		if !ok {
			return nil
		}
		p.imports("sync")
		name := p.fresh("group")
		made := statements("var " + name + " sync.WaitGroup")
		if lit, ok := g.Call.Fun.(*dst.FuncLit); ok && len(g.Call.Args) == 0 && lit.Type.Results == nil {
			return append(made, statements(name+".Go(arg0)", lit)...)
		}
		return append(made, statements(name+".Go(func() { arg0 })", []dst.Stmt{&dst.ExprStmt{X: g.Call}})...)
	})
}

// goMethod moves the bodies of literals that are started into methods.
func goMethod(p *program) {
	p.perStatement(func(fn *dst.FuncDecl, s dst.Stmt) []dst.Stmt {
		g, ok := s.(*dst.GoStmt)
		if !ok {
			return nil
		}
		lit, ok := g.Call.Fun.(*dst.FuncLit)
		if !ok || len(g.Call.Args) > 0 || lit.Type.Results != nil {
			return nil
		}
		call := p.extract(fn, lit.Body.List, "background", true)
		if call == nil {
			return nil
		}
		return []dst.Stmt{&dst.GoStmt{Call: call[0].(*dst.ExprStmt).X.(*dst.CallExpr)}}
	})
}
