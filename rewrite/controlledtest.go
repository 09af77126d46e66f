package rewrite

import (
	"errors"

	"github.com/dave/dst"
)

// controlEntry hands the program to the scheduler: the body of main, or, in
// package testing, what runs the tests that were asked for. Package testing is
// rewritten itself, so that subtests, t.Parallel and clean-up functions run under
// control too.
func (p *pass) controlEntry() {
	for _, d := range p.root.Decls {
		d, ok := d.(*dst.FuncDecl)
		if !ok || d.Body == nil || d.Recv != nil {
			continue
		}
		switch {
		case d.Name.Name == "main" && p.plan.pkg.Name == "main" && len(d.Body.List) > 0:
			p.controlMain(d)
		case d.Name.Name == "runTests" && p.plan.pkg.PkgPath == "testing":
			p.controlTests(d)
		}
	}
	dst.Inspect(p.root, func(n dst.Node) bool {
		if c, ok := n.(*dst.CallExpr); ok && p.called(c) == "os.Exit" && len(c.Args) == 1 {
			c.Args[0] = p.sched("ExitCode", c.Args[0])
		}
		return true
	})
}

// controlMain is func main() { sched.Main(func() { … }) }.
func (p *pass) controlMain(d *dst.FuncDecl) {
	body := &dst.BlockStmt{List: d.Body.List}
	lit := &dst.FuncLit{Type: &dst.FuncType{Func: true, Params: &dst.FieldList{Opening: true, Closing: true}}, Body: body}
	run := statement(p.sched("Main", lit))
	p.attribute(run, p.dec.Ast.Nodes[d])
	d.Body.List = []dst.Stmt{run}
}

// controlTests runs the call of tRunner in testing.runTests under the scheduler.
func (p *pass) controlTests(d *dst.FuncDecl) {
	found := false
	dst.Inspect(d.Body, func(n dst.Node) bool {
		s, ok := n.(*dst.ExprStmt)
		if !ok {
			return true
		}
		c, ok := s.X.(*dst.CallExpr)
		if !ok {
			return true
		}
		if id, ok := c.Fun.(*dst.Ident); !ok || id.Name != "tRunner" {
			return true
		}
		run := statement(c)
		p.attribute(run, p.ast(s))
		body := &dst.BlockStmt{List: []dst.Stmt{run}}
		s.X = p.sched("Main", &dst.FuncLit{Type: &dst.FuncType{Func: true, Params: &dst.FieldList{Opening: true, Closing: true}}, Body: body})
		found = true
		return false
	})
	if !found {
		p.err = errors.New("package testing of this version of Go runs tests in a way that is not known to atomrace fuzz")
	}
}
