package accesses

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// addGivenMaps adds the changes that calls of the package's own functions make to a map that they are given, or are
// methods of:
//
//	func (r *room) add(m map[string]int, name string) { m[name]++ }
//
//	r.mu.Lock(); r.add(r.members, name); r.mu.Unlock()
//
// For the function it is a parameter, and no variable that others have; its caller changes r.members there. A function
// that takes a lock, or starts goroutines, is left alone. The functions of package maps that change a map are such as
// well. An access has the call for its expression, and the ordinal 0, as those of addContained.
func (p *Package) addGivenMaps() {
	g := givenChanges{p, map[*types.Func]*ast.FuncDecl{}}
	for _, fn := range p.Functions {
		if d, ok := fn.Node.(*ast.FuncDecl); ok && d.Body != nil {
			if f, ok := p.Info.Defs[d.Name].(*types.Func); ok {
				g.decls[f] = d
			}
		}
	}
	for _, fn := range p.Functions {
		ast.PreorderStack(fn.Node, nil, func(n ast.Node, around []ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			for i, x := range append([]ast.Expr{ReceiverOf(call)}, call.Args...) {
				by := g.of(call, x, i-1, 3)
				if by == nil {
					continue
				}
				a := p.heldContainer(fn, ast.Unparen(x), around)
				a.Kind, a.Mode, a.Expr, a.Var.Contents = access.MapWhole, atomicity.Write, call, true
				if by.method == "clear" {
					a.Method = by.method
				} else if by.key != nil { // not one, or many, of its own
					a.Kind, a.Method, a.Key = access.MapElement, by.method, by.key
				}
				fn.Accesses = insert(fn.Accesses, a, call.End())
			}
			return true
		})
	}
}

// ReceiverOf is what the called method is one of, or nil.
func ReceiverOf(call *ast.CallExpr) ast.Expr {
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		return sel.X
	}
	return nil
}

// givenChanges is what the functions of a package do to what they are given.
type givenChanges struct {
	*Package
	decls map[*types.Func]*ast.FuncDecl
}

// A givenChange is what a function does to a map that it is given: the method of the access, and the key where it is
// an argument of the call.
type givenChange struct {
	method string
	key    ast.Expr
}

// of is how the call changes x, a map in a field or a package-level variable that is its argument i or, for -1, what the
// method is one of; or nil.
func (g givenChanges) of(call *ast.CallExpr, x ast.Expr, i, depth int) *givenChange {
	if x == nil {
		return nil
	}
	if v := g.variable(x); v == nil || !v.IsField() && !IsGlobal(v) || !isMap(v.Type()) {
		return nil
	}
	return g.by(call, i, depth)
}

// by is how the called function changes its argument i, itself or by what it hands it on to; or nil.
func (g givenChanges) by(call *ast.CallExpr, i, depth int) *givenChange {
	fn := typeutil.StaticCallee(g.Info, call)
	if fn == nil || depth == 0 {
		return nil
	}
	if fn.Pkg() != nil && fn.Pkg().Path() == "maps" && i == 0 {
		switch fn.Name() {
		case "Copy", "Insert", "DeleteFunc":
			return &givenChange{} // under keys that the call does not say
		}
		return nil
	}
	fn = fn.Origin()
	d, sig := g.decls[fn], fn.Signature()
	if d == nil || sig.Variadic() || len(call.Args) != sig.Params().Len() || launches(d) || takesLock(d) {
		return nil
	}
	given := sig.Recv()
	if i >= 0 {
		given = sig.Params().At(i)
	}
	if given == nil || !isMap(given.Type()) {
		return nil
	}
	c := givenTo{givenChanges: g, param: given, sig: sig, args: call.Args, depth: depth}
	ast.Inspect(d.Body, c.visit)
	if c.replaced {
		return nil
	}
	return c.found
}

// givenTo is a function that is given something.
type givenTo struct {
	givenChanges
	param *types.Var
	sig   *types.Signature
	args  []ast.Expr
	depth int

	found    *givenChange
	replaced bool // the parameter itself
}

// is says whether the expression is the parameter.
func (c *givenTo) is(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && c.Info.Uses[id] == types.Object(c.param)
}

// changed notes a change of an entry, or of all for nil.
func (c *givenTo) changed(method string, key ast.Expr) {
	several := c.found != nil
	if several && c.found.method != method {
		method = ""
	}
	c.found = &givenChange{method: method}
	if several {
		return // of several keys, as far as one can tell
	}
	id, ok := key.(*ast.Ident)
	for j := range c.sig.Params().Len() {
		if ok && c.Info.Uses[id] == types.Object(c.sig.Params().At(j)) {
			c.found.key = c.args[j]
		}
	}
}

// put notes what is assigned to.
func (c *givenTo) put(e ast.Expr) {
	switch x := ast.Unparen(e).(type) {
	case *ast.IndexExpr:
		if c.is(x.X) {
			c.changed("", x.Index)
		}
	case *ast.Ident:
		c.replaced = c.replaced || c.is(x)
	}
}

// visit looks for changes.
func (c *givenTo) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncLit:
		return false
	case *ast.AssignStmt:
		for _, l := range n.Lhs {
			c.put(l)
		}
	case *ast.IncDecStmt:
		c.put(n.X)
	case *ast.RangeStmt:
		if n.Tok == token.ASSIGN {
			c.put(n.Key)
		}
	case *ast.CallExpr:
		id, ok := ast.Unparen(n.Fun).(*ast.Ident)
		if b, isBuiltin := c.Info.Uses[id].(*types.Builtin); ok && isBuiltin {
			switch {
			case b.Name() == "delete" && len(n.Args) == 2 && c.is(n.Args[0]):
				c.changed("delete", n.Args[1])
			case b.Name() == "clear" && len(n.Args) == 1 && c.is(n.Args[0]):
				c.changed("clear", nil)
			}
			return true
		}
		for j, x := range append([]ast.Expr{ReceiverOf(n)}, n.Args...) {
			if x != nil && c.is(x) {
				if by := c.by(n, j-1, c.depth-1); by != nil {
					c.changed(by.method, by.key)
				}
			}
		}
	}
	return true
}

// isMap says whether values of the type are maps.
func isMap(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Map)
	return ok
}
