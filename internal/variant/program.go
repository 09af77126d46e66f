package variant

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/dave/dst"
	"github.com/dave/dst/decorator"
	"github.com/dave/dst/dstutil"
)

// program is a file under transformation. Types are known of the nodes of the original
// alone, not of those that are made.
type program struct {
	file    *dst.File
	origin  map[dst.Node]ast.Node
	info    *types.Info
	pkg     *types.Package
	used    map[string]bool
	from    map[string]string
	added   []dst.Decl
	above   bool // they come before the functions that are there
	changed bool
}

// object is what id stands for, nil for identifiers that were made.
func (p *program) object(id *dst.Ident) types.Object {
	if id, ok := p.origin[id].(*ast.Ident); ok {
		return p.info.ObjectOf(id)
	}
	return nil
}

// defines is the variable that id declares.
func (p *program) defines(id *dst.Ident) *types.Var {
	if id, ok := p.origin[id].(*ast.Ident); ok {
		v, _ := p.info.Defs[id].(*types.Var)
		return v
	}
	return nil
}

// variable is the variable that e is, a selector counting as its field.
func (p *program) variable(e dst.Expr) *types.Var {
	switch e := e.(type) {
	case *dst.Ident:
		v, _ := p.object(e).(*types.Var)
		return v
	case *dst.SelectorExpr:
		return p.variable(e.Sel)
	}
	return nil
}

// typeOf is the type of e, nil if it was made.
func (p *program) typeOf(e dst.Expr) types.Type {
	if e, ok := p.origin[e].(ast.Expr); ok {
		return p.info.TypeOf(e)
	}
	return nil
}

// functions are the declarations that have a body.
func (p *program) functions() []*dst.FuncDecl {
	var list []*dst.FuncDecl
	for _, d := range p.file.Decls {
		if d, ok := d.(*dst.FuncDecl); ok && d.Body != nil {
			list = append(list, d)
		}
	}
	return list
}

// key names fn as Result.From does.
func key(fn *dst.FuncDecl) string {
	if fn.Recv == nil {
		return fn.Name.Name
	}
	return typeName(fn.Recv.List[0].Type) + "." + fn.Name.Name
}

// typeName is the name of a receiver's type.
func typeName(e dst.Expr) string {
	switch e := e.(type) {
	case *dst.StarExpr:
		return typeName(e.X)
	case *dst.IndexExpr:
		return typeName(e.X)
	case *dst.IndexListExpr:
		return typeName(e.X)
	case *dst.Ident:
		return e.Name
	}
	return ""
}

// receiver is the name of fn's receiver, "" if it has none or is generic.
func receiver(fn *dst.FuncDecl) string {
	if fn.Recv == nil || len(fn.Recv.List[0].Names) == 0 {
		return ""
	}
	t := fn.Recv.List[0].Type
	if star, ok := t.(*dst.StarExpr); ok {
		t = star.X
	}
	if _, ok := t.(*dst.Ident); !ok {
		return ""
	}
	return fn.Recv.List[0].Names[0].Name
}

// generic says that fn has type parameters, be it by its receiver.
func generic(fn *dst.FuncDecl) bool {
	return fn.Type.TypeParams != nil || fn.Recv != nil && receiver(fn) == ""
}

// fresh is a name that nothing in the file has.
func (p *program) fresh(prefix string) string {
	for i := 1; ; i++ {
		if name := prefix + strconv.Itoa(i); !p.used[name] {
			p.used[name] = true
			return name
		}
	}
}

// imports makes sure that the file imports path under its own name.
func (p *program) imports(path string) {
	for _, d := range p.file.Decls {
		if d, ok := d.(*dst.GenDecl); ok && d.Tok == token.IMPORT {
			for _, s := range d.Specs {
				if s.(*dst.ImportSpec).Path.Value == strconv.Quote(path) {
					return
				}
			}
		}
	}
	p.file.Decls = append([]dst.Decl{&dst.GenDecl{Tok: token.IMPORT, Specs: []dst.Spec{
		&dst.ImportSpec{Path: &dst.BasicLit{Kind: token.STRING, Value: strconv.Quote(path)}},
	}}}, p.file.Decls...)
}

// drops removes the import of path.
func (p *program) drops(path string) {
	for _, d := range p.file.Decls {
		if d, ok := d.(*dst.GenDecl); ok && d.Tok == token.IMPORT {
			d.Specs = slices.DeleteFunc(d.Specs, func(s dst.Spec) bool { return s.(*dst.ImportSpec).Path.Value == strconv.Quote(path) })
		}
	}
	p.file.Decls = slices.DeleteFunc(p.file.Decls, func(d dst.Decl) bool {
		g, ok := d.(*dst.GenDecl)
		return ok && g.Tok == token.IMPORT && len(g.Specs) == 0
	})
}

// text is how the file writes t, "" when it cannot.
func (p *program) text(t types.Type) string {
	known := true
	text := types.TypeString(t, func(other *types.Package) string {
		if other == p.pkg {
			return ""
		}
		found := false
		for _, s := range p.file.Imports {
			found = found || s.Path.Value == strconv.Quote(other.Path()) && s.Name == nil
		}
		known = known && found
		return other.Name()
	})
	if !known || strings.Contains(text, "invalid") || strings.Contains(text, "untyped") {
		return ""
	}
	return text
}

// statements parses statements in which arg0, arg1 and so on stand for args:
// expressions, or slices of statements where they stand alone.
func statements(src string, args ...any) []dst.Stmt {
	f, err := decorator.Parse("package p\nfunc _() {\n" + src + "\n}")
	if err != nil {
		panic(fmt.Sprintf("%s: %v", src, err))
	}
	body := f.Decls[0].(*dst.FuncDecl).Body
	fill(body, args)
	return body.List
}

// expression parses an expression like statements.
func expression(src string, args ...any) dst.Expr {
	return statements("_ = "+src, args...)[0].(*dst.AssignStmt).Rhs[0]
}

// declare adds declarations to the end of the file.
func (p *program) declare(src string, args ...any) {
	f, err := decorator.Parse("package p\n" + src)
	if err != nil {
		panic(fmt.Sprintf("%s: %v", src, err))
	}
	fill(f, args)
	p.added = append(p.added, f.Decls...)
}

// fill puts args in the place of what stands for them.
func fill(root dst.Node, args []any) {
	index := func(n dst.Node) int {
		id, ok := n.(*dst.Ident)
		if !ok || !strings.HasPrefix(id.Name, "arg") {
			return -1
		}
		i, err := strconv.Atoi(id.Name[3:])
		if err != nil || i >= len(args) {
			return -1
		}
		return i
	}
	dstutil.Apply(root, func(c *dstutil.Cursor) bool {
		if s, ok := c.Node().(*dst.ExprStmt); ok {
			if i := index(s.X); i >= 0 {
				list, ok := args[i].([]dst.Stmt)
				if !ok {
					c.Replace(args[i].(dst.Node))
					return false
				}
				for _, stmt := range list {
					c.InsertBefore(stmt)
				}
				c.Delete()
				return false
			}
		}
		if i := index(c.Node()); i >= 0 {
			c.Replace(args[i].(dst.Node))
			return false
		}
		return true
	}, nil)
}

// lists calls edit for all lists of statements below n, inner ones first, and puts
// what it returns in their place.
func lists(n dst.Node, edit func(list []dst.Stmt) []dst.Stmt) {
	dstutil.Apply(n, nil, func(c *dstutil.Cursor) bool {
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
}

// perStatement calls edit for all statements of the lists of all functions. What it
// returns takes their place, unless it is nil.
func (p *program) perStatement(edit func(fn *dst.FuncDecl, s dst.Stmt) []dst.Stmt) {
	for _, fn := range p.functions() {
		lists(fn.Body, func(list []dst.Stmt) []dst.Stmt {
			var out []dst.Stmt
			for _, s := range list {
				if made := edit(fn, s); made != nil {
					p.changed = true
					out = append(out, made...)
				} else {
					out = append(out, s)
				}
			}
			return out
		})
	}
}

// replace calls edit for all expressions below n, inner ones first; what it returns
// takes their place, unless it is nil.
func (p *program) replace(n dst.Node, edit func(c *dstutil.Cursor, e dst.Expr) dst.Expr) {
	dstutil.Apply(n, nil, func(c *dstutil.Cursor) bool {
		if e, ok := c.Node().(dst.Expr); ok {
			if made := edit(c, e); made != nil {
				p.changed = true
				c.Replace(made)
			}
		}
		return true
	})
}

// mentions says whether some node below n is what is asked for.
func mentions(n dst.Node, is func(dst.Node) bool) bool {
	found := false
	dst.Inspect(n, func(n dst.Node) bool {
		found = found || n != nil && is(n)
		return !found
	})
	return found
}

// anyMentions is mentions for a list.
func anyMentions(list []dst.Stmt, is func(dst.Node) bool) bool {
	for _, s := range list {
		if mentions(s, is) {
			return true
		}
	}
	return false
}

// path is the text of x, x.y, x.y.z, "" for anything else.
func path(e dst.Expr) string {
	switch e := e.(type) {
	case *dst.Ident:
		return e.Name
	case *dst.SelectorExpr:
		if x := path(e.X); x != "" {
			return x + "." + e.Sel.Name
		}
	case *dst.ParenExpr:
		return path(e.X)
	}
	return ""
}

// copyOf is a copy of e, of which no types are known.
func copyOf[N dst.Node](e N) N { return dst.Clone(e).(N) }
