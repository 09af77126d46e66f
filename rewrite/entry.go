package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/dave/dst"
)

// entryPoints hooks where programs begin and end: main, os.Exit and tests.
func (p *pass) entryPoints(o Options) {
	isTest := p.plan.isTest(p.file.Package)
	p.changed = p.changed || p.file == p.plan.testMain
	for _, d := range p.root.Decls {
		d, ok := d.(*dst.FuncDecl)
		if !ok || d.Body == nil || d.Recv != nil {
			continue
		}
		if d.Name.Name == "main" && p.plan.pkg.Name == "main" {
			p.first(d.Body, d, &dst.DeferStmt{Call: p.heal("Exit")})
		}
		if !isTest {
			continue
		}
		if kind := testKind(d.Name.Name); kind != "" && p.isTestFunction(d, kind) {
			p.watchTest(d.Body, d.Type, d)
		}
		if d.Name.Name == "TestMain" && p.isTestFunction(d, "M") {
			p.first(d.Body, d, &dst.DeferStmt{Call: p.heal("Exit")})
		}
	}
	p.hookExits()
	dst.Inspect(p.root, func(n dst.Node) bool {
		c, ok := n.(*dst.CallExpr)
		if !ok {
			return true
		}
		switch name := p.called(c); {
		case !isTest:
		case slices.Contains(subtests, name):
			last := len(c.Args) - 1
			if lit, ok := c.Args[last].(*dst.FuncLit); ok && len(lit.Type.Params.List) > 0 {
				p.watchTest(lit.Body, lit.Type, lit)
			} else if p.isSubtest(c, name) {
				c.Args[last] = p.heal("Subtest", c.Args[last])
				p.changed = true
			}
		case name == "(*testing.T).Parallel":
			sel := c.Fun.(*dst.SelectorExpr)
			c.Fun, c.Args = p.heal("Parallel").Fun, []dst.Expr{sel.X}
			p.changed = true
		}
		return true
	})
}

// subtests are the methods whose last argument is a test of its own.
var subtests = []string{"(*testing.T).Run", "(*testing.B).Run", "(*testing.F).Fuzz"}

// isSubtest says whether the last argument of c is the value of a function that Run is
// to call, not nil and not one of several results.
func (p *pass) isSubtest(c *dst.CallExpr, name string) bool {
	source, ok := p.dec.Ast.Nodes[c].(*ast.CallExpr)
	if !ok || name == "(*testing.F).Fuzz" {
		return false
	}
	t := p.info.TypeOf(source.Args[len(source.Args)-1])
	_, ok = types.Unalias(t).Underlying().(*types.Signature)
	return ok
}

// first puts s in front of the body of the function n.
func (p *pass) first(body *dst.BlockStmt, n dst.Node, s dst.Stmt) {
	p.attribute(s, p.dec.Ast.Nodes[n])
	body.List = append([]dst.Stmt{s}, body.List...)
	p.changed = true
}

// watchTest lets a test, benchmark or fuzz target fail for what is found while it
// runs. Its first parameter gets a name if it has none.
func (p *pass) watchTest(body *dst.BlockStmt, typ *dst.FuncType, n dst.Node) {
	field := typ.Params.List[0]
	if len(field.Names) == 0 {
		// All parameters have names, or none.
		for _, f := range typ.Params.List {
			f.Names = []*dst.Ident{ident("_")}
		}
	}
	if field.Names[0].Name == "_" {
		field.Names[0] = ident(tempPrefix)
	}
	p.first(body, n, &dst.ExprStmt{X: p.heal("Watch", ident(field.Names[0].Name))})
}

// called is the full name of the function or method that c calls, empty if it
// is no call by name.
func (p *pass) called(c *dst.CallExpr) string {
	source, ok := p.dec.Ast.Nodes[c].(*ast.CallExpr)
	if !ok {
		return ""
	}
	sel, ok := source.Fun.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	f, ok := p.info.Uses[sel.Sel].(*types.Func)
	if !ok {
		return ""
	}
	return f.FullName()
}

// testKind is the type of package testing that the function's parameter has if
// its name makes it one that go test runs.
func testKind(name string) string {
	switch {
	case name == "TestMain":
		return ""
	case strings.HasPrefix(name, "Test"):
		return "T"
	case strings.HasPrefix(name, "Benchmark"):
		return "B"
	case strings.HasPrefix(name, "Fuzz"):
		return "F"
	}
	return ""
}

// isTestFunction says whether d is a func(*testing.KIND).
func (p *pass) isTestFunction(d *dst.FuncDecl, kind string) bool {
	source, ok := p.dec.Ast.Nodes[d].(*ast.FuncDecl)
	if !ok {
		return false
	}
	f, ok := p.info.Defs[source.Name].(*types.Func)
	if !ok {
		return false
	}
	params := f.Signature().Params()
	if params.Len() != 1 || f.Signature().Results().Len() != 0 || f.Signature().TypeParams() != nil {
		return false
	}
	_, isPointer := params.At(0).Type().(*types.Pointer)
	return isPointer && isNamed(params.At(0).Type(), "testing", kind)
}

// redirectHeal lets imports of heal's public path mean the runtime that the
// hooks import, in the shadow GOROOT or the user's module, so that a program has
// one runtime, whichever way it came in.
func (p *pass) redirectHeal(o Options) {
	path := shadowHealPath
	if o.Readable {
		path = o.healImport()
	}
	if path == HealPath {
		return
	}
	for _, d := range p.root.Decls {
		d, ok := d.(*dst.GenDecl)
		if !ok || d.Tok != token.IMPORT {
			continue
		}
		for _, s := range d.Specs {
			if s := s.(*dst.ImportSpec); s.Path.Value == strconv.Quote(HealPath) {
				s.Path.Value = strconv.Quote(path)
				p.changed = true
			}
		}
	}
}
