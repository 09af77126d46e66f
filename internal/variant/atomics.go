package variant

import (
	"go/token"
	"go/types"
	"strings"

	"github.com/dave/dst"
	"github.com/dave/dst/dstutil"
)

// atomics change what atomic variables are made of.
var atomics = []Variant{
	{"atomic-functions", atomicFunctions},
	{"atomic-types", atomicTypes},
	{"atomic-pointers", atomicPointers},
}

// plainOf maps the types of sync/atomic to those that its functions work on.
var plainOf = map[string]string{"Int32": "int32", "Int64": "int64", "Uint32": "uint32", "Uint64": "uint64", "Bool": "int32"}

// atomicType is the name of a type of sync/atomic, "" for all else.
func atomicType(t types.Type) string {
	named, ok := t.(*types.Named)
	if !ok || named.Obj().Pkg() == nil || named.Obj().Pkg().Path() != "sync/atomic" {
		return ""
	}
	return named.Obj().Name()
}

// atomicVars are the fields and variables of the package of a type of sync/atomic that
// are used for calls of their methods alone.
func (p *program) atomicVars() map[*types.Var]string {
	vars := map[*types.Var]string{}
	for id, obj := range p.info.Defs {
		if v, ok := obj.(*types.Var); ok && id != nil && (v.IsField() || v.Parent() == p.pkg.Scope()) {
			if name := atomicType(v.Type()); name != "" {
				vars[v] = name
			}
		}
	}
	dstutil.Apply(p.file, func(c *dstutil.Cursor) bool {
		e, ok := c.Node().(dst.Expr)
		if !ok {
			return true
		}
		v := p.variable(e)
		if vars[v] == "" {
			return true
		}
		if outer, ok := c.Parent().(*dst.SelectorExpr); ok && (outer.X == e || outer.Sel == dst.Node(e) && p.variable(outer) == v) {
			return true
		}
		if id, ok := e.(*dst.Ident); ok && p.defines(id) == v {
			return true
		}
		delete(vars, v)
		return true
	}, nil)
	return vars
}

// atomicFunctions uses the functions of sync/atomic instead of its types.
func atomicFunctions(p *program) {
	vars := p.atomicVars()
	for v, name := range vars {
		if plainOf[name] == "" {
			delete(vars, v)
		}
	}
	// A boolean that is stored from a variable needs a function more.
	dst.Inspect(p.file, func(n dst.Node) bool {
		if call, ok := n.(*dst.CallExpr); ok {
			if sel, ok := call.Fun.(*dst.SelectorExpr); ok && vars[p.variable(sel.X)] == "Bool" {
				for _, e := range call.Args {
					if path(e) != "true" && path(e) != "false" {
						delete(vars, p.variable(sel.X))
					}
				}
			}
		}
		return true
	})
	p.retype(vars, func(name string) dst.Expr { return dst.NewIdent(plainOf[name]) })
	p.replace(p.file, func(_ *dstutil.Cursor, e dst.Expr) dst.Expr {
		call, ok := e.(*dst.CallExpr)
		if !ok {
			return nil
		}
		sel, ok := call.Fun.(*dst.SelectorExpr)
		if !ok || vars[p.variable(sel.X)] == "" {
			return nil
		}
		name := vars[p.variable(sel.X)]
		kind := name
		if name == "Bool" {
			kind = "Int32"
			for i, e := range call.Args {
				call.Args[i] = &dst.BasicLit{Kind: token.INT, Value: map[string]string{"true": "1", "false": "0"}[path(e)]}
			}
		}
		call.Args = append([]dst.Expr{&dst.UnaryExpr{Op: token.AND, X: sel.X}}, call.Args...)
		call.Fun = expression("atomic." + sel.Sel.Name + kind)
		if name == "Bool" && (sel.Sel.Name == "Load" || sel.Sel.Name == "Swap") {
			return &dst.ParenExpr{X: &dst.BinaryExpr{X: call, Op: token.EQL, Y: &dst.BasicLit{Kind: token.INT, Value: "1"}}}
		}
		return call
	})
}

// retype gives variables another type.
func (p *program) retype(vars map[*types.Var]string, made func(name string) dst.Expr) {
	dst.Inspect(p.file, func(n dst.Node) bool {
		switch n := n.(type) {
		case *dst.Field:
			for _, id := range n.Names {
				if name := vars[p.defines(id)]; name != "" {
					n.Type, p.changed = made(name), true
					break
				}
			}
		case *dst.ValueSpec:
			for _, id := range n.Names {
				if name := vars[p.defines(id)]; name != "" {
					n.Type, p.changed = made(name), true
					break
				}
			}
		}
		return true
	})
}

// atomicTypes uses the types of sync/atomic for what its functions are called on.
func atomicTypes(p *program) {
	vars := map[*types.Var]string{}
	kinds := map[string]string{"int32": "Int32", "int64": "Int64", "uint32": "Uint32", "uint64": "Uint64"}
	uses := map[*types.Var]int{}
	argument := func(call *dst.CallExpr) *types.Var {
		fun, ok := call.Fun.(*dst.SelectorExpr)
		if !ok || path(fun.X) != "atomic" || len(call.Args) == 0 {
			return nil
		}
		u, ok := call.Args[0].(*dst.UnaryExpr)
		if !ok || u.Op != token.AND {
			return nil
		}
		return p.variable(u.X)
	}
	dst.Inspect(p.file, func(n dst.Node) bool {
		switch n := n.(type) {
		case *dst.Ident:
			if v, ok := p.object(n).(*types.Var); ok && p.defines(n) == nil {
				uses[v]++
			}
		case *dst.CallExpr:
			if v := argument(n); v != nil && (v.IsField() || v.Parent() == p.pkg.Scope()) {
				if kind := kinds[v.Type().String()]; kind != "" {
					vars[v] = kind
					uses[v]--
				}
			}
		}
		return true
	})
	for v := range vars {
		if uses[v] != 0 {
			delete(vars, v)
		}
	}
	p.retype(vars, func(name string) dst.Expr { return expression("atomic." + name) })
	p.replace(p.file, func(_ *dstutil.Cursor, e dst.Expr) dst.Expr {
		call, ok := e.(*dst.CallExpr)
		if !ok {
			return nil
		}
		v := argument(call)
		if v == nil || vars[v] == "" {
			return nil
		}
		name := strings.TrimSuffix(call.Fun.(*dst.SelectorExpr).Sel.Name, vars[v])
		return &dst.CallExpr{Fun: &dst.SelectorExpr{X: call.Args[0].(*dst.UnaryExpr).X, Sel: dst.NewIdent(name)}, Args: call.Args[1:]}
	})
}

// atomicPointers makes pointers of atomic fields, which literals set.
func atomicPointers(p *program) {
	vars := p.atomicVars()
	for _, s := range p.structs() {
		if !s.made() {
			continue
		}
		for _, f := range s.syntax.Fields.List {
			if len(f.Names) != 1 || vars[p.defines(f.Names[0])] == "" {
				continue
			}
			for _, lit := range s.literals {
				lit.Elts = append(lit.Elts, &dst.KeyValueExpr{Key: dst.NewIdent(f.Names[0].Name), Value: expression("new(arg0)", copyOf(f.Type))})
			}
			f.Type = &dst.StarExpr{X: f.Type}
			p.changed = true
		}
	}
}
