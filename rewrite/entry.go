package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"github.com/dave/dst"
)

// entryPoints hooks where programs begin and end: main, os.Exit and tests.
func (p *pass) entryPoints(o Options) {
	for _, d := range p.root.Decls {
		d, ok := d.(*dst.FuncDecl)
		if !ok || d.Body == nil || d.Recv != nil {
			continue
		}
		if d.Name.Name == "main" && p.plan.pkg.Name == "main" {
			p.first(d, &dst.DeferStmt{Call: p.heal("Exit")})
		}
		if t, ok := p.testParameter(d); ok {
			p.first(d, &dst.DeferStmt{Call: call(p.heal("Watch", ident(t)))})
		}
	}
	dst.Inspect(p.root, func(n dst.Node) bool {
		if c, ok := n.(*dst.CallExpr); ok && p.isOsExit(c) {
			c.Args[0] = p.heal("ExitCode", c.Args[0])
			p.changed = true
		}
		return true
	})
}

func (p *pass) first(d *dst.FuncDecl, s dst.Stmt) {
	p.attribute(s, p.dec.Ast.Nodes[d])
	d.Body.List = append([]dst.Stmt{s}, d.Body.List...)
	p.changed = true
}

func (p *pass) isOsExit(c *dst.CallExpr) bool {
	source, ok := p.dec.Ast.Nodes[c].(*ast.CallExpr)
	if !ok || len(c.Args) != 1 {
		return false
	}
	sel, ok := source.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	f, ok := p.info.Uses[sel.Sel].(*types.Func)
	return ok && f.FullName() == "os.Exit"
}

// testParameter is the name of t in func TestXxx(t *testing.T).
func (p *pass) testParameter(d *dst.FuncDecl) (string, bool) {
	source, ok := p.dec.Ast.Nodes[d].(*ast.FuncDecl)
	if !ok || !strings.HasPrefix(d.Name.Name, "Test") || !p.plan.isTest(source.Pos()) {
		return "", false
	}
	f, ok := p.info.Defs[source.Name].(*types.Func)
	if !ok {
		return "", false
	}
	params := f.Signature().Params()
	if params.Len() != 1 || f.Signature().Results().Len() != 0 || f.Signature().TypeParams() != nil {
		return "", false
	}
	if _, isPointer := params.At(0).Type().(*types.Pointer); !isPointer || !isNamed(params.At(0).Type(), "testing", "T") {
		return "", false
	}
	field := d.Type.Params.List[0]
	if len(field.Names) == 0 || field.Names[0].Name == "_" {
		field.Names = []*dst.Ident{ident(tempPrefix)}
	}
	return field.Names[0].Name, true
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
