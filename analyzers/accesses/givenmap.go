package accesses

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// addGivenMaps adds the changes that calls of the package's own functions make to a map that they are given:
//
//	func (r *room) add(m map[string]int, name string) { m[name]++ }
//
//	r.mu.Lock(); r.add(r.members, name); r.mu.Unlock()
//
// For the function it is a parameter, and no variable that others have; its caller changes r.members there. A function
// that takes a lock, or starts goroutines, is left alone. An access has the call for its expression, and the
// ordinal 0, as those of addContained.
func (p *Package) addGivenMaps() {
	decls := map[*types.Func]*ast.FuncDecl{}
	for _, fn := range p.Functions {
		if d, ok := fn.Node.(*ast.FuncDecl); ok && d.Body != nil {
			if f, ok := p.Info.Defs[d.Name].(*types.Func); ok {
				decls[f] = d
			}
		}
	}
	for _, fn := range p.Functions {
		var around []ast.Node
		ast.Inspect(fn.Node, func(n ast.Node) bool {
			if n == nil {
				around = around[:len(around)-1]
				return true
			}
			around = append(around, n)
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			for i, arg := range call.Args {
				v := p.variable(arg)
				if v == nil || !v.IsField() && !IsGlobal(v) || !isMap(v.Type()) {
					continue
				}
				by := p.changeOf(decls, call, i, 3)
				if by == nil {
					continue
				}
				a := p.heldContainer(fn, ast.Unparen(arg), around)
				a.Kind, a.Mode, a.Expr, a.Var.Contents, a.Method, a.Key = access.MapElement, atomicity.Write, call, true, by.method, by.key
				fn.Accesses = insert(fn.Accesses, a, call.End())
			}
			return true
		})
	}
}

// A givenChange is what a function does to a map that it is given: the method of the access, and
// the key where it is an argument of the call.
type givenChange struct {
	method string
	key    ast.Expr
}

// changeOf is how the called function changes the map that is its argument i, itself or by what it hands it on to; or nil.
func (p *Package) changeOf(decls map[*types.Func]*ast.FuncDecl, call *ast.CallExpr, i, depth int) *givenChange {
	fn := typeutil.StaticCallee(p.Info, call)
	if fn == nil || depth == 0 {
		return nil
	}
	fn = fn.Origin()
	d, sig := decls[fn], fn.Signature()
	if d == nil || sig.Variadic() || len(call.Args) != sig.Params().Len() || launches(d) || takesLock(d) {
		return nil
	}
	param := sig.Params().At(i)
	is := func(e ast.Expr) bool {
		id, ok := ast.Unparen(e).(*ast.Ident)
		return ok && p.Info.Uses[id] == types.Object(param)
	}
	var found *givenChange
	changed := func(method string, key ast.Expr) {
		if found != nil && found.method != method {
			method = ""
		}
		found = &givenChange{method: method}
		id, ok := key.(*ast.Ident)
		for j := range sig.Params().Len() {
			if ok && p.Info.Uses[id] == types.Object(sig.Params().At(j)) {
				found.key = call.Args[j]
			}
		}
	}
	replaced := false
	put := func(e ast.Expr) {
		if x, ok := ast.Unparen(e).(*ast.IndexExpr); ok && is(x.X) {
			changed("", x.Index)
		}
		replaced = replaced || is(e)
	}
	ast.Inspect(d.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				put(l)
			}
		case *ast.IncDecStmt:
			put(n.X)
		case *ast.RangeStmt:
			if n.Tok == token.ASSIGN {
				put(n.Key)
			}
		case *ast.CallExpr:
			id, ok := ast.Unparen(n.Fun).(*ast.Ident)
			if b, isBuiltin := p.Info.Uses[id].(*types.Builtin); ok && isBuiltin {
				switch {
				case b.Name() == "delete" && len(n.Args) == 2 && is(n.Args[0]):
					changed("delete", n.Args[1])
				case b.Name() == "clear" && len(n.Args) == 1 && is(n.Args[0]):
					changed("clear", nil)
				}
				return true
			}
			for j, arg := range n.Args {
				if is(arg) {
					if by := p.changeOf(decls, n, j, depth-1); by != nil {
						changed(by.method, by.key)
					}
				}
			}
		}
		return true
	})
	if replaced {
		return nil
	}
	return found
}

// isMap says whether values of the type are maps.
func isMap(t types.Type) bool {
	_, ok := t.Underlying().(*types.Map)
	return ok
}
