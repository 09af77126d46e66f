package shared

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
)

// findFramed finds the structs whose objects belong to the calls that make them: they are held in
// locals and parameters and go from call to call, but into no field, container, channel, interface or
// package-level variable. A goroutine has one, then, that it has made, or that it was begun with:
//
//	func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
//		h := newHandler(s, r) // has a lock for the goroutine that it starts
//		for m := range messages(r) {
//			h.handle(m)
//		}
//		h.hangUp()
//	}
func (r *Result) findFramed() {
	r.framed = map[*types.TypeName]bool{}
	scope := r.pkg.Types.Scope()
	for _, name := range scope.Names() {
		if tn, ok := scope.Lookup(name).(*types.TypeName); ok && !tn.IsAlias() && !isGeneric(tn.Type()) {
			if _, ok := tn.Type().Underlying().(*types.Struct); ok {
				r.framed[tn] = true
			}
		}
	}
	r.empty = map[*types.TypeName]bool{}
	made := map[*types.TypeName]bool{}
	for _, file := range r.pkg.Files {
		var around []ast.Node
		ast.Inspect(file, func(n ast.Node) bool {
			if n == nil {
				around = around[:len(around)-1]
				return true
			}
			around = append(around, n)
			switch n := n.(type) {
			case *ast.Field:
				if len(around) > 2 {
					if _, ok := around[len(around)-3].(*ast.StructType); ok {
						r.unframe(r.pkg.Info.TypeOf(n.Type), 0)
					}
				}
			case *ast.TypeAssertExpr:
				if n.Type != nil {
					r.unframe(r.pkg.Info.TypeOf(n.Type), 0) // somebody had it as an interface
				}
			case ast.Expr:
				if tn := r.makesOne(n); tn != nil {
					made[tn] = true
					if lit, ok := n.(*ast.CompositeLit); !ok || len(lit.Elts) == 0 {
						r.empty[tn] = true
					}
				}
				if tv := r.pkg.Info.Types[n]; tv.IsValue() && r.framed[accesses.TypeName(tv.Type)] && !r.staysInFrame(n, around[:len(around)-1]) {
					delete(r.framed, accesses.TypeName(tv.Type))
				}
			}
			return true
		})
	}
	for _, name := range scope.Names() {
		if v, ok := scope.Lookup(name).(*types.Var); ok {
			r.unframe(v.Type(), 0)
		}
	}
	for tn := range r.framed {
		if !made[tn] {
			delete(r.framed, tn)
		}
	}
}

// unframe says of the types of which the given one holds objects that others may find them there.
func (r *Result) unframe(t types.Type, depth int) {
	if t == nil || depth > 10 {
		return
	}
	delete(r.framed, accesses.TypeName(t))
	switch t := types.Unalias(t).(type) {
	case *types.Pointer:
		r.unframe(t.Elem(), depth+1)
	case *types.Slice:
		r.unframe(t.Elem(), depth+1)
	case *types.Array:
		r.unframe(t.Elem(), depth+1)
	case *types.Chan:
		r.unframe(t.Elem(), depth+1)
	case *types.Map:
		r.unframe(t.Key(), depth+1)
		r.unframe(t.Elem(), depth+1)
	case *types.Named:
		for arg := range t.TypeArgs().Types() {
			r.unframe(arg, depth+1)
		}
	}
}

// staysInFrame says whether the value goes from where it stands to a local, a parameter of a function of
// the package, or a result at most.
func (r *Result) staysInFrame(n ast.Expr, around []ast.Node) bool {
	t := r.pkg.Info.TypeOf(n)
	same := func(other types.Type) bool { return other != nil && types.Identical(t, other) }
	parent := around[len(around)-1]
	switch p := parent.(type) {
	case *ast.SelectorExpr:
		sel := r.pkg.Info.Selections[p]
		if sel == nil || sel.Kind() != types.MethodVal {
			return true
		}
		call, ok := around[len(around)-2].(*ast.CallExpr)
		return ok && call.Fun == ast.Expr(p)
	case *ast.AssignStmt:
		for i, rhs := range p.Rhs {
			if rhs == n && len(p.Lhs) == len(p.Rhs) {
				_, local := ast.Unparen(p.Lhs[i]).(*ast.Ident)
				_, through := ast.Unparen(p.Lhs[i]).(*ast.StarExpr)
				return (local || through) && same(r.pkg.Info.TypeOf(p.Lhs[i])) || isBlank(p.Lhs[i])
			}
		}
		return true
	case *ast.ValueSpec:
		return same(r.pkg.Info.TypeOf(p.Names[0]))
	case *ast.ReturnStmt:
		sig := r.signatureAround(around)
		for i, result := range p.Results {
			if result == n && sig != nil && sig.Results().Len() == len(p.Results) {
				return same(sig.Results().At(i).Type())
			}
		}
		return false
	case *ast.CallExpr:
		if p.Fun == n {
			return true
		}
		fn := r.locks.Callee(p)
		sig, ok := r.pkg.Info.TypeOf(p.Fun).(*types.Signature)
		if !ok || fn != nil && fn.Pkg() != r.pkg.Types || sig.Variadic() {
			return false
		}
		for i, arg := range p.Args {
			if arg == n && i < sig.Params().Len() {
				return same(sig.Params().At(i).Type())
			}
		}
		return false
	case *ast.CompositeLit:
		return p.Type == n
	case *ast.BinaryExpr, *ast.StarExpr, *ast.UnaryExpr, *ast.ParenExpr, *ast.IndexExpr, *ast.ExprStmt:
		return true
	}
	return false
}

func isBlank(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && id.Name == "_"
}

// signatureAround is that of the innermost function.
func (r *Result) signatureAround(around []ast.Node) *types.Signature {
	for i := len(around) - 1; i >= 0; i-- {
		switch f := around[i].(type) {
		case *ast.FuncLit:
			sig, _ := r.pkg.Info.TypeOf(f).(*types.Signature)
			return sig
		case *ast.FuncDecl:
			if fn, ok := r.pkg.Info.Defs[f.Name].(*types.Func); ok {
				return fn.Signature()
			}
			return nil
		}
	}
	return nil
}

// keptInside says whether nobody outside of the package has objects of the struct: what the package makes
// stays in its calls, no exported function returns or is given one, and one that is made without the
// package's help lacks what the fields, none of which is exported, are filled with.
func (r *Result) keptInside(tn *types.TypeName) bool {
	if tn == nil || !r.framed[tn] || tn.Exported() && r.empty[tn] {
		return false
	}
	for f := range tn.Type().Underlying().(*types.Struct).Fields() {
		if tn.Exported() && f.Exported() {
			return false
		}
	}
	for _, b := range r.pkg.Bodies {
		if b.Func == nil || !b.Func.Exported() {
			continue
		}
		if passes(b.Func.Signature(), tn, 0) {
			return false
		}
	}
	return true
}

// passes says whether a function of the signature is given or returns an object of the type, or a function that does.
func passes(sig *types.Signature, tn *types.TypeName, depth int) bool {
	for _, list := range [...]*types.Tuple{sig.Params(), sig.Results()} {
		for v := range list.Variables() {
			f, ok := v.Type().Underlying().(*types.Signature)
			if ok && depth < 3 && passes(f, tn, depth+1) || accesses.TypeName(v.Type()) == tn {
				return true
			}
		}
	}
	return false
}

// ownFrames says whether who comes to an object of the type from either root has made it.
func (r *Result) ownFrames(owner *types.TypeName, x, y int) bool {
	return owner != nil && r.framed[owner] && !r.begunWith(x, owner) && !r.begunWith(y, owner)
}

// begunWith says whether what begins at the root is given an object of the type, or has captured one.
func (r *Result) begunWith(root int, tn *types.TypeName) bool {
	is := func(v *types.Var) bool { return v != nil && accesses.TypeName(v.Type()) == tn }
	for b, of := range r.of {
		if !of[root] {
			continue
		}
		if slices.Contains(r.seeds[b], root) {
			if b.Func != nil && is(b.Func.Signature().Recv()) {
				return true
			}
			if sig := b.Type(r.pkg.Info); sig != nil {
				for v := range sig.Params().Variables() {
					if is(v) {
						return true
					}
				}
			}
		}
		if b.Parent == nil || r.of[b.Parent][root] && !slices.Contains(r.seeds[b], root) {
			continue
		}
		captured := false
		ast.Inspect(b.Block, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				v, _ := r.pkg.Info.Uses[id].(*types.Var)
				captured = captured || is(v) && (v.Pos() < b.Node.Pos() || b.Node.End() <= v.Pos())
			}
			return !captured
		})
		if captured {
			return true
		}
	}
	return false
}
