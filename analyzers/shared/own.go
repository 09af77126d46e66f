package shared

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
)

// common are the types whose objects the goroutines that a loop starts have in
// common: what they capture or are given from outside one turn of the loop, and
// what can be reached from there or from package-level variables. An object of
// another type belongs to the goroutine that has made it, as a connection does to
// the one that serves it. Nil outside loops.
func (r *Result) common(b *accesses.Body, at ast.Node, call *ast.CallExpr) map[*types.TypeName]bool {
	loop := innermostLoop(b, at)
	if loop == nil {
		return nil
	}
	set := map[*types.TypeName]bool{}
	ast.Inspect(call, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		v, ok := r.pkg.Info.Uses[id].(*types.Var)
		if !ok || v.IsField() {
			return true
		}
		if loop.Pos() <= v.Pos() && v.Pos() < loop.End() {
			for _, given := range r.through(loop, id) {
				r.reachable(given.Type(), set, 0)
			}
			return true
		}
		r.reachable(v.Type(), set, 0)
		return true
	})
	r.ofPackage(set)
	return set
}

// ofPackage adds the types that the package-level variables lead to.
func (r *Result) ofPackage(set map[*types.TypeName]bool) {
	scope := r.pkg.Types.Scope()
	for _, name := range scope.Names() {
		if v, ok := scope.Lookup(name).(*types.Var); ok {
			r.reachable(v.Type(), set, 0)
		}
	}
}

// reachable adds the types of this package that an object of the type leads to: not
// by the keys of a map, which is a register of what there is, nor over a channel,
// which hands on what is sent, unless that is a node of a graph, to which several others lead.
// Behind an interface are all types that have its methods.
func (r *Result) reachable(t types.Type, set map[*types.TypeName]bool, depth int) {
	if depth > 20 {
		return
	}
	switch t := types.Unalias(t).(type) {
	case *types.Pointer:
		r.reachable(t.Elem(), set, depth+1)
	case *types.Slice:
		r.reachable(t.Elem(), set, depth+1)
	case *types.Array:
		r.reachable(t.Elem(), set, depth+1)
	case *types.Map:
		r.reachable(t.Elem(), set, depth+1)
	case *types.Chan:
		if leadsToSeveral(t.Elem()) {
			r.reachable(t.Elem(), set, depth+1)
		}
	case *types.Struct:
		for field := range t.Fields() {
			if _, part := field.Type().Underlying().(*types.Struct); part {
				r.reachable(field.Type(), set, depth-1) // its fields are no further away
			} else {
				r.reachable(field.Type(), set, depth+1)
			}
		}
	case *types.Named:
		tn := t.Origin().Obj()
		if tn.Pkg() != r.pkg.Types || set[tn] {
			return
		}
		set[tn] = true
		i, ok := t.Underlying().(*types.Interface)
		if !ok {
			r.reachable(t.Origin().Underlying(), set, depth+1)
			return
		}
		scope := r.pkg.Types.Scope()
		for _, name := range scope.Names() {
			if c, ok := scope.Lookup(name).(*types.TypeName); ok && !c.IsAlias() && types.Implements(types.NewPointer(c.Type()), i) {
				r.reachable(c.Type(), set, depth+1)
			}
		}
	}
}

// leadsToSeveral says whether t points to a struct with a list of others of the type.
func leadsToSeveral(t types.Type) bool {
	p, ok := types.Unalias(t).(*types.Pointer)
	if !ok {
		return false
	}
	st, ok := p.Elem().Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for field := range st.Fields() {
		switch of := field.Type().Underlying().(type) {
		case *types.Slice:
			ok = types.Identical(of.Elem(), t)
		case *types.Map:
			ok = types.Identical(of.Elem(), t) || types.Identical(of.Key(), t)
		default:
			ok = false
		}
		if ok {
			return true
		}
	}
	return false
}

// ownTypes are the types of the objects that b has made and starts the goroutine for,
// which is the only one that is: a constructor's go c.loop().
func (r *Result) ownTypes(b *accesses.Body, call *ast.CallExpr) map[*types.TypeName]bool {
	set := map[*types.TypeName]bool{}
	ast.Inspect(call, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		if v, ok := r.pkg.Info.Uses[id].(*types.Var); ok && !v.IsField() && r.makes(b, v) {
			set[accesses.TypeName(v.Type())] = true
		}
		return true
	})
	delete(set, nil)
	return set
}

// elementTypes are the types of the elements of which each of the goroutines that a loop
// starts gets one of its own: for _, c := range conns { go c.serve() }, or conns[i] of
// the loop's own i. It is not so where they are given another object of the type besides,
// from outside the loop; and a loop that comes round while they still run may give one
// element to two of them.
func (r *Result) elementTypes(b *accesses.Body, at ast.Node, call *ast.CallExpr) map[*types.TypeName]bool {
	loop := innermostLoop(b, at)
	if loop == nil {
		return nil
	}
	var tn *types.TypeName
	for n := range ast.Preorder(call) {
		if e, ok := n.(ast.Expr); ok && r.elementOf(loop, e, true) {
			tn = accesses.TypeName(r.pkg.Info.TypeOf(e))
			break
		}
	}
	if tn == nil || tn.Pkg() != r.pkg.Types {
		return nil
	}
	set := map[*types.TypeName]bool{}
	if types.IsInterface(tn.Type()) {
		r.partsBehind(tn, set)
		set[tn] = true
	} else {
		r.parts(tn, set, 0)
	}
	given := r.givenElements(loop, call)
	ast.Inspect(call, func(n ast.Node) bool {
		e, ok := n.(ast.Expr)
		if !ok {
			return true
		}
		if id, ok := e.(*ast.Ident); r.elementOf(loop, e, true) || ok && given[r.pkg.Info.ObjectOf(id)] {
			return false
		}
		if isNew(e) || r.pkg.Info.Types[e].IsType() {
			return true
		}
		if t := r.pkg.Info.TypeOf(e); t != nil {
			delete(set, accesses.TypeName(t))
		}
		return true
	})
	if !set[tn] {
		return nil
	}
	return set
}

// isNew says whether the expression makes a struct, or is the address of one.
func isNew(e ast.Expr) bool {
	if u, ok := ast.Unparen(e).(*ast.UnaryExpr); ok && u.Op == token.AND {
		e = u.X
	}
	_, ok := ast.Unparen(e).(*ast.CompositeLit)
	return ok
}

// parts adds the type and those of the structs that its objects consist of.
func (r *Result) parts(tn *types.TypeName, set map[*types.TypeName]bool, depth int) {
	if tn == nil || tn.Pkg() != r.pkg.Types || set[tn] || depth > 5 {
		return
	}
	st, ok := tn.Type().Underlying().(*types.Struct)
	if depth > 0 && !ok {
		return
	}
	set[tn] = true
	if ok {
		for field := range st.Fields() {
			if _, part := field.Type().Underlying().(*types.Struct); part {
				r.parts(accesses.TypeName(field.Type()), set, depth+1)
			}
		}
	}
}

// givenElements are the parameters of the function literal that is called, as far as it is given elements.
func (r *Result) givenElements(loop ast.Stmt, call *ast.CallExpr) map[types.Object]bool {
	given := map[types.Object]bool{}
	lit, ok := ast.Unparen(call.Fun).(*ast.FuncLit)
	if !ok {
		return given
	}
	i := 0
	for _, field := range lit.Type.Params.List {
		for _, name := range field.Names {
			if i < len(call.Args) && r.elementOf(loop, call.Args[i], true) {
				given[r.pkg.Info.Defs[name]] = true
			}
			i++
		}
	}
	return given
}

// partsBehind adds the types that have the methods of the interface, with the structs in them:
//
//	for _, s := range []server{newTCP(), newUDP()} { go s.run() }
func (r *Result) partsBehind(tn *types.TypeName, set map[*types.TypeName]bool) {
	iface, ok := tn.Type().Underlying().(*types.Interface)
	if !ok || iface.NumMethods() == 0 {
		return
	}
	for _, name := range r.pkg.Types.Scope().Names() {
		of, ok := r.pkg.Types.Scope().Lookup(name).(*types.TypeName)
		if !ok || types.IsInterface(of.Type()) {
			continue
		}
		if named, ok := of.Type().(*types.Named); ok && named.TypeParams().Len() == 0 && types.Implements(types.NewPointer(named), iface) {
			r.parts(of, set, 0)
		}
	}
}

// elementOf says whether e is the element that the loop comes to, the local of the loop
// that was declared with it, a struct in one of these, or the address of one.
func (r *Result) elementOf(loop ast.Stmt, e ast.Expr, named bool) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		return e.Op == token.AND && r.elementOf(loop, e.X, named)
	case *ast.SelectorExpr:
		if f, ok := r.pkg.Info.Uses[e.Sel].(*types.Var); !ok || !f.IsField() {
			return false
		} else if _, part := f.Type().Underlying().(*types.Struct); !part {
			return false
		}
		return r.elementOf(loop, e.X, named)
	case *ast.Ident:
		obj := r.pkg.Info.ObjectOf(e)
		if over, ok := loop.(*ast.RangeStmt); ok && obj != nil && r.hasElements(over) {
			if value, ok := over.Value.(*ast.Ident); ok && r.pkg.Info.Defs[value] == obj {
				return true
			}
		}
		return named && obj != nil && r.declaredWithElement(loop, obj)
	case *ast.IndexExpr:
		id, ok := ast.Unparen(e.Index).(*ast.Ident)
		if x := r.pkg.Info.TypeOf(e.X); !ok || x == nil || !isList(x) {
			return false
		}
		return counts(r.pkg.Info.Defs, loop, r.pkg.Info.Uses[id])
	}
	return false
}

// declaredWithElement says whether the loop declares the variable as c := c, of its element.
func (r *Result) declaredWithElement(loop ast.Stmt, v types.Object) bool {
	if v.Pos() < loop.Pos() || loop.End() < v.Pos() {
		return false
	}
	found := false
	ast.Inspect(loop, func(n ast.Node) bool {
		if assign, ok := n.(*ast.AssignStmt); ok && len(assign.Lhs) == len(assign.Rhs) {
			for i, l := range assign.Lhs {
				if id, ok := l.(*ast.Ident); ok && r.pkg.Info.Defs[id] == v {
					found = r.elementOf(loop, assign.Rhs[i], false)
				}
			}
		}
		return !found
	})
	return found
}

// hasElements says whether the loop goes through what is there, not through what comes.
func (r *Result) hasElements(loop *ast.RangeStmt) bool {
	over := r.pkg.Info.TypeOf(loop.X)
	if over == nil {
		return false // a type error
	}
	_, isMap := over.Underlying().(*types.Map)
	return isMap || isList(over)
}

func isList(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Slice, *types.Array:
		return true
	}
	return false
}

// counts says whether the variable is the one that the loop counts by.
func counts(defs map[*ast.Ident]types.Object, loop ast.Stmt, v types.Object) bool {
	if v == nil {
		return false
	}
	switch loop := loop.(type) {
	case *ast.RangeStmt:
		id, ok := loop.Key.(*ast.Ident)
		return ok && defs[id] == v
	case *ast.ForStmt:
		init, ok := loop.Init.(*ast.AssignStmt)
		if !ok || len(init.Lhs) != 1 {
			return false
		}
		id, ok := init.Lhs[0].(*ast.Ident)
		step, steps := loop.Post.(*ast.IncDecStmt)
		return ok && defs[id] == v && steps && step.Tok == token.INC
	}
	return false
}

// OneForEach says whether the goroutines that run the body, of which there are many, were each
// given an object of the type that is its own alone.
func (r *Result) OneForEach(b *accesses.Body, tn *types.TypeName) bool {
	found := false
	for root := range r.of[b] {
		k := r.roots[root]
		if k.Many && (k.each == nil || !k.each[tn]) {
			return false
		}
		found = found || k.Many
	}
	return found
}

// ownerOf is the type that the body is of a method of, or nil.
func ownerOf(b *accesses.Body) *types.TypeName {
	if fn := b.Outermost().Func; fn != nil && fn.Signature().Recv() != nil {
		return accesses.TypeName(fn.Signature().Recv().Type())
	}
	return nil
}

// makes says whether the body declares the variable with an object that it makes:
// c := &T{…}.
func (r *Result) makes(b *accesses.Body, v *types.Var) bool {
	found := false
	ast.Inspect(b.Block, func(n ast.Node) bool {
		assign, ok := n.(*ast.AssignStmt)
		if !ok || len(assign.Lhs) != len(assign.Rhs) {
			return !found
		}
		for i, l := range assign.Lhs {
			if id, ok := l.(*ast.Ident); !ok || r.pkg.Info.Defs[id] != types.Object(v) {
				continue
			}
			e := ast.Unparen(assign.Rhs[i])
			if u, ok := e.(*ast.UnaryExpr); ok {
				e = ast.Unparen(u.X)
			}
			_, found = e.(*ast.CompositeLit)
		}
		return !found
	})
	return found
}

// Owner is the type of this package that declares the field, or nil.
func (r *Result) Owner(field types.Object) *types.TypeName {
	v, _ := field.(*types.Var)
	return r.owners[v]
}

// findOwners finds which struct type of this package declares each field.
func (r *Result) findOwners() {
	r.owners = map[*types.Var]*types.TypeName{}
	scope := r.pkg.Types.Scope()
	for _, name := range scope.Names() {
		tn, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || tn.IsAlias() {
			continue
		}
		if st, ok := tn.Type().Underlying().(*types.Struct); ok {
			for field := range st.Fields() {
				r.owners[field.Origin()] = tn
			}
		}
	}
}
