package shared

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"github.com/atomrace/atomrace/internal/pattern"
)

// givenAway is what becomes of values of the module's types that are turned into interfaces:
//
//	defer conn.Close() … io.Copy(conn, file) … http.Handle("/", s)
type givenAway struct {
	*caller
	anyhow   map[string]bool
	given    map[string]map[string]bool
	asserted map[string]bool
}

func (c *givenAway) sorted() map[string][]string {
	all := map[string][]string{}
	for m, targets := range c.given {
		all[m] = slices.Sorted(maps.Keys(targets))
	}
	return all
}

// give notes that the value of e becomes an interface.
func (c *givenAway) give(e ast.Expr, to types.Type) {
	if e != nil && to != nil {
		c.turn(c.pkg.Info.TypeOf(e), to)
	}
}

func (c *givenAway) turn(from, to types.Type) {
	iface, ok := to.Underlying().(*types.Interface)
	if !ok || from == nil || iface.NumMethods() == 0 || types.Identical(from, to) || types.Identical(to, types.Universe.Lookup("error").Type()) {
		return
	}
	as, was := c.interfaceName(to), ""
	if types.IsInterface(from) {
		if was = c.interfaceName(from); was == "" {
			return // what it is has been given away before
		}
	}
	for m := range iface.Methods() {
		target := OfInterface + was + "." + m.Name()
		if was == "" {
			obj, _, _ := types.LookupFieldOrMethod(from, true, c.pkg.Types, m.Name())
			fn, ok := obj.(*types.Func)
			if !ok {
				continue
			}
			if ofInterface(fn) {
				embedded := c.interfaceName(fn.Signature().Recv().Type())
				if embedded == "" {
					continue
				}
				target = OfInterface + embedded + "." + m.Name()
			} else if c.ofModule(fn.Pkg()) {
				target = fn.Origin().FullName()
			} else {
				continue
			}
		}
		if as == "" {
			c.anyhow[target] = true
			continue
		}
		if c.given[as+"."+m.Name()] == nil {
			c.given[as+"."+m.Name()] = map[string]bool{}
		}
		c.given[as+"."+m.Name()][target] = true
	}
}

// find looks for what is turned into interfaces in the package.
func (c *givenAway) find() {
	give := c.give
	for _, file := range c.pkg.Files {
		ast.PreorderStack(file, nil, func(n ast.Node, stack []ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				c.givenAsArguments(n, give)
			case *ast.AssignStmt:
				if n.Tok != token.ASSIGN {
					break
				}
				if len(n.Lhs) == len(n.Rhs) {
					for i, e := range n.Rhs {
						give(e, c.pkg.Info.TypeOf(n.Lhs[i]))
					}
				} else if several, ok := c.pkg.Info.TypeOf(n.Rhs[0]).(*types.Tuple); ok {
					for i, e := range n.Lhs {
						if to := c.pkg.Info.TypeOf(e); to != nil && i < several.Len() {
							c.turn(several.At(i).Type(), to)
						}
					}
				}
			case *ast.TypeAssertExpr:
				c.assert(n.Type)
			case *ast.TypeSwitchStmt:
				for _, clause := range n.Body.List {
					for _, e := range clause.(*ast.CaseClause).List {
						c.assert(e)
					}
				}
			case *ast.ValueSpec:
				for i, e := range n.Values {
					if len(n.Values) == len(n.Names) {
						give(e, c.pkg.Info.TypeOf(n.Names[i]))
					}
				}
			case *ast.SendStmt:
				if ch, ok := c.pkg.Info.TypeOf(n.Chan).Underlying().(*types.Chan); ok {
					give(n.Value, ch.Elem())
				}
			case *ast.CompositeLit:
				c.givenAsElements(n, give)
			case *ast.ReturnStmt:
				sig := c.signatureAround(stack)
				if sig == nil {
					break
				}
				if sig.Results().Len() == len(n.Results) {
					for i, e := range n.Results {
						give(e, sig.Results().At(i).Type())
					}
				} else if len(n.Results) == 1 {
					if several, ok := c.pkg.Info.TypeOf(n.Results[0]).(*types.Tuple); ok && several.Len() == sig.Results().Len() {
						for i := range several.Len() {
							c.turn(several.At(i).Type(), sig.Results().At(i).Type())
						}
					}
				}
			}
			return true
		})
	}
}

// assert notes that something may turn out to be the interface.
func (c *givenAway) assert(e ast.Expr) {
	if e == nil {
		return
	}
	if t := c.pkg.Info.TypeOf(e); t != nil && types.IsInterface(t) {
		if name := c.interfaceName(t); name != "" {
			c.asserted[name] = true
		}
	}
}

// registerNames are of functions that find out by reflection what methods what they are given has, and call them.
var registerNames = pattern.New(`^(Register|Bind|Expose|Execute|Publish)`)

// asAnything says whether the argument is given as something of which the function knows no method.
func asAnything(sig *types.Signature, i int) bool {
	last := sig.Params().Len() - 1
	if last < 0 {
		return false
	}
	t := sig.Params().At(min(i, last)).Type()
	if sig.Variadic() && i >= last {
		if list, ok := t.(*types.Slice); ok {
			t = list.Elem()
		}
	}
	iface, ok := t.Underlying().(*types.Interface)
	return !ok || iface.NumMethods() == 0
}

// reflected adds the exported methods of the type.
func (c *givenAway) reflected(t types.Type) {
	if t == nil {
		return
	}
	if _, ok := types.Unalias(t).(*types.Pointer); !ok {
		t = types.NewPointer(t)
	}
	for m := range types.NewMethodSet(t).Methods() {
		if fn, ok := m.Obj().(*types.Func); ok && fn.Exported() && !ofInterface(fn) && c.ofModule(fn.Pkg()) {
			c.anyhow[fn.Origin().FullName()] = true
		}
	}
}

func (c *givenAway) givenAsArguments(call *ast.CallExpr, give func(ast.Expr, types.Type)) {
	if fn := c.locks.Callee(call); fn != nil && fn.Pkg() != nil && !c.ofModule(fn.Pkg()) && registerNames.MatchString(fn.Name()) {
		for i, a := range call.Args {
			if asAnything(fn.Signature(), i) {
				c.reflected(c.pkg.Info.TypeOf(a))
			}
		}
	}
	if tv := c.pkg.Info.Types[call.Fun]; tv.IsType() {
		if len(call.Args) == 1 {
			give(call.Args[0], tv.Type)
		}
		return
	}
	t := c.pkg.Info.TypeOf(call.Fun)
	if t == nil {
		return
	}
	sig, ok := t.Underlying().(*types.Signature)
	if !ok {
		return
	}
	params := sig.Params()
	for i, a := range call.Args {
		switch {
		case sig.Variadic() && i >= params.Len()-1:
			if slice, ok := params.At(params.Len() - 1).Type().(*types.Slice); ok && !call.Ellipsis.IsValid() {
				give(a, slice.Elem())
			}
		case i < params.Len():
			give(a, params.At(i).Type())
		}
	}
}

func (c *givenAway) givenAsElements(lit *ast.CompositeLit, give func(ast.Expr, types.Type)) {
	t := c.pkg.Info.TypeOf(lit)
	if t == nil {
		return
	}
	for i, e := range lit.Elts {
		value := e
		pair, ok := e.(*ast.KeyValueExpr)
		if ok {
			value = pair.Value
		}
		switch u := t.Underlying().(type) {
		case *types.Struct:
			if key, isField := (*ast.Ident)(nil), false; ok {
				if key, isField = pair.Key.(*ast.Ident); isField {
					give(value, c.pkg.Info.TypeOf(key))
				}
			} else if i < u.NumFields() {
				give(value, u.Field(i).Type())
			}
		case *types.Slice:
			give(value, u.Elem())
		case *types.Array:
			give(value, u.Elem())
		case *types.Map:
			give(value, u.Elem())
		}
	}
}
