package section

import (
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity/access"
)

// unobtainable says whether no other module can get an object of the exported type in which the
// channel is made: no method makes it, nothing that is exported leads to one, and nowhere is one made
// an interface value. What calls its methods is in the package, whatever their names.
func (s *search) unobtainable(tn *types.TypeName, channel access.Var) bool {
	if tn == nil || !tn.Exported() || channel.Obj.Exported() || !s.isMadeHere(tn) || s.madeInterface(tn) {
		return false
	}
	for w := range s.shared.Use(channel).Writers() {
		if fn := w.Outermost().Func; fn == nil || fn.Exported() || fn.Signature().Recv() != nil {
			return false
		}
	}
	o := outward{of: tn, pkg: s.pkg.Types}
	scope := s.pkg.Types.Scope()
	for _, name := range scope.Names() {
		obj := scope.Lookup(name)
		if t, ok := obj.(*types.TypeName); ok {
			named, isNamed := t.Type().(*types.Named)
			if !isNamed {
				return false
			}
			for m := range named.Methods() {
				if m.Exported() && t != tn && o.leads(m.Type(), 0) {
					return false
				}
			}
			if obj.Exported() && t != tn && o.leads(named.Underlying(), 0) {
				return false
			}
		} else if obj.Exported() && o.leads(obj.Type(), 0) {
			return false
		}
	}
	return true
}

// isMadeHere says whether the package makes objects of the type.
func (s *search) isMadeHere(tn *types.TypeName) bool {
	made := false
	for _, file := range s.pkg.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			if lit, ok := n.(*ast.CompositeLit); ok && accesses.TypeName(s.pkg.Info.TypeOf(lit)) == tn {
				made = true
			}
			return !made
		})
	}
	return made
}

// outward is the search for a way from what is exported to an object of a type.
type outward struct {
	of  *types.TypeName
	pkg *types.Package
}

// leads says whether one comes from a value of the type to such an object.
func (o outward) leads(t types.Type, depth int) bool {
	if depth > 6 {
		return true
	}
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		if t.Obj() == o.of {
			return true
		}
		for a := range t.TypeArgs().Types() {
			if o.leads(a, depth+1) {
				return true
			}
		}
		return t.Obj().Pkg() == o.pkg && !t.Obj().Exported() && o.leads(t.Underlying(), depth+1)
	case *types.Pointer:
		return o.leads(t.Elem(), depth+1)
	case *types.Slice:
		return o.leads(t.Elem(), depth+1)
	case *types.Array:
		return o.leads(t.Elem(), depth+1)
	case *types.Chan:
		return o.leads(t.Elem(), depth+1)
	case *types.Map:
		return o.leads(t.Elem(), depth+1) || o.leads(t.Key(), depth+1)
	case *types.Struct:
		for f := range t.Fields() {
			if f.Exported() && o.leads(f.Type(), depth+1) {
				return true
			}
		}
	case *types.Signature:
		for v := range t.Results().Variables() {
			if o.leads(v.Type(), depth+1) {
				return true
			}
		}
		for v := range t.Params().Variables() { // what it is called with is ours
			if f, ok := v.Type().Underlying().(*types.Signature); ok {
				for given := range f.Params().Variables() {
					if o.leads(given.Type(), depth+1) {
						return true
					}
				}
			}
		}
	case *types.Interface:
		for m := range t.Methods() {
			if o.leads(m.Type(), depth+1) {
				return true
			}
		}
	}
	return false
}

// madeInterface says whether somewhere an object of the type is made an interface value, or may be.
func (s *search) madeInterface(tn *types.TypeName) bool {
	found := false
	into := func(e ast.Expr, t types.Type) {
		if t != nil && types.IsInterface(t) && accesses.TypeName(s.pkg.Info.TypeOf(e)) == tn {
			found = true
		}
	}
	for _, file := range s.pkg.Files {
		ast.PreorderStack(file, nil, func(n ast.Node, stack []ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if tv := s.pkg.Info.Types[n.Fun]; tv.IsType() && len(n.Args) == 1 {
					into(n.Args[0], tv.Type)
				} else if sig, ok := s.values.underlying(n.Fun).(*types.Signature); ok && !tv.IsBuiltin() {
					for i, a := range n.Args {
						into(a, parameterAt(sig, i))
					}
				}
			case *ast.ReturnStmt:
				for i := len(stack) - 1; i >= 0; i-- {
					var t types.Type
					switch fn := stack[i].(type) {
					case *ast.FuncDecl:
						if obj := s.pkg.Info.Defs[fn.Name]; obj != nil {
							t = obj.Type()
						}
					case *ast.FuncLit:
						t = s.pkg.Info.TypeOf(fn)
					}
					if sig, ok := t.(*types.Signature); ok {
						for i, r := range n.Results {
							if sig.Results().Len() == len(n.Results) {
								into(r, sig.Results().At(i).Type())
							}
						}
						break
					}
				}
			case *ast.AssignStmt:
				for i, l := range n.Lhs {
					if len(n.Lhs) == len(n.Rhs) {
						into(n.Rhs[i], s.pkg.Info.TypeOf(l))
					}
				}
			case *ast.ValueSpec:
				for i, v := range n.Values {
					if len(n.Values) == len(n.Names) && n.Names[i].Name != "_" {
						into(v, s.pkg.Info.TypeOf(n.Names[i]))
					}
				}
			case *ast.SendStmt:
				if ch, ok := s.values.underlying(n.Chan).(*types.Chan); ok {
					into(n.Value, ch.Elem())
				}
			case *ast.CompositeLit:
				s.eachElement(n, into)
			}
			return !found
		})
	}
	return found
}

// parameterAt is the type of the parameter that is given the argument i.
func parameterAt(sig *types.Signature, i int) types.Type {
	n := sig.Params().Len()
	if sig.Variadic() && i >= n-1 {
		if slice, ok := sig.Params().At(n - 1).Type().(*types.Slice); ok {
			return slice.Elem()
		}
	}
	if i < n {
		return sig.Params().At(i).Type()
	}
	return nil
}

// eachElement visits the elements of a literal with the types of what they are put into.
func (s *search) eachElement(lit *ast.CompositeLit, visit func(ast.Expr, types.Type)) {
	for i, e := range lit.Elts {
		kv, keyed := e.(*ast.KeyValueExpr)
		value := e
		if keyed {
			value = kv.Value
		}
		switch t := s.values.underlying(lit).(type) {
		case *types.Struct:
			if keyed {
				visit(value, s.pkg.Info.TypeOf(kv.Key))
			} else if i < t.NumFields() {
				visit(value, t.Field(i).Type())
			}
		case *types.Slice:
			visit(value, t.Elem())
		case *types.Array:
			visit(value, t.Elem())
		case *types.Map:
			visit(value, t.Elem())
			if keyed {
				visit(kv.Key, t.Key())
			}
		}
	}
}
