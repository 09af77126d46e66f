package accesses

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// findGetting finds the functions that do no more than to give a map or a slice out, that a field of their object or a
// package-level variable holds, after they have made it perhaps:
//
//	func (s *store) entries() map[string]*entry { s.once.Do(s.makeEntries); return s.m }
//
// One that takes a lock is none: who has what it gives has it without the lock.
func (p *Package) findGetting() {
	p.getting = map[*types.Func]ast.Expr{}
	for _, fn := range p.Functions {
		d, ok := fn.Node.(*ast.FuncDecl)
		if !ok || d.Body == nil || len(d.Body.List) == 0 || takesLock(d) || launches(d) {
			continue
		}
		f, ok := p.Info.Defs[d.Name].(*types.Func)
		if !ok || f.Signature().Params().Len() != 0 || f.Signature().Results().Len() != 1 || !isMapOrSlice(f.Signature().Results().At(0).Type()) {
			continue
		}
		ret, ok := d.Body.List[len(d.Body.List)-1].(*ast.ReturnStmt)
		if !ok || len(ret.Results) != 1 {
			continue
		}
		given := ast.Unparen(ret.Results[0])
		if p.isOwn(given, f.Signature().Recv()) && p.makesFirst(d.Body.List[:len(d.Body.List)-1], types.ExprString(given)) {
			p.getting[f] = given
		}
	}
}

// isOwn says whether the expression is a field of recv, or a variable of the package where there is no receiver.
func (p *Package) isOwn(e ast.Expr, recv *types.Var) bool {
	switch e := e.(type) {
	case *ast.Ident:
		v, ok := p.Info.Uses[e].(*types.Var)
		return ok && recv == nil && v.Parent() == p.Types.Scope()
	case *ast.SelectorExpr:
		id, ok := ast.Unparen(e.X).(*ast.Ident)
		sel := p.Info.Selections[e]
		return ok && recv != nil && sel != nil && sel.Kind() == types.FieldVal && p.Info.Uses[id] == types.Object(recv)
	}
	return false
}

// makesFirst says whether the statements do nothing else than to call the Do of a sync.Once, or to set what is given where
// it is nil.
func (p *Package) makesFirst(list []ast.Stmt, given string) bool {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.ExprStmt:
			call, ok := s.X.(*ast.CallExpr)
			if !ok {
				return false
			}
			fn, ok := typeutil.Callee(p.Info, call).(*types.Func)
			if !ok || fn.FullName() != "(*sync.Once).Do" {
				return false
			}
		case *ast.IfStmt:
			test, ok := ast.Unparen(s.Cond).(*ast.BinaryExpr)
			if !ok || s.Init != nil || s.Else != nil || test.Op != token.EQL || types.ExprString(test.X) != given || types.ExprString(test.Y) != "nil" || len(s.Body.List) != 1 {
				return false
			}
			set, ok := s.Body.List[0].(*ast.AssignStmt)
			if !ok || len(set.Lhs) != 1 || types.ExprString(set.Lhs[0]) != given {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// gotten is what the call of such a function gives, as the function names it, or nil.
func (p *Package) gotten(e ast.Expr) ast.Expr {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || len(call.Args) != 0 {
		return nil
	}
	fn, ok := typeutil.Callee(p.Info, call).(*types.Func)
	if !ok {
		return nil
	}
	return p.getting[fn.Origin()]
}

// Gets says whether the call is of a function that does no more than to give a map or a slice of its object, or of the
// package, out.
func (p *Package) Gets(call *ast.CallExpr) bool { return p.gotten(call) != nil }

// gottenPlace is the place that the call of such a function names, the zero Place for other calls.
func (p *Package) gottenPlace(call *ast.CallExpr, depth int) Place {
	given := p.gotten(call)
	if given == nil {
		return Place{}
	}
	field, ok := given.(*ast.SelectorExpr)
	if !ok {
		return p.place(given, depth)
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || p.Info.Selections[sel] == nil || p.Info.Selections[sel].Kind() != types.MethodVal {
		return Place{}
	}
	base := p.place(sel.X, depth)
	if base.Valid() {
		base.Path += FieldPath(p.Info.Selections[sel]) + FieldPath(p.Info.Selections[field])
	}
	return base
}

// addGotten adds the accesses to the entries of what such a function gives:
//
//	s.entries()[name] = e
//
// It is a field that the function reads; its caller changes the entries. An access has the ordinal 0, as those of
// addContained.
func (p *Package) addGotten() {
	p.findGetting()
	if len(p.getting) == 0 {
		return
	}
	for _, fn := range p.Functions {
		ast.PreorderStack(fn.Node, nil, func(n ast.Node, around []ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && p.gotten(call) != nil && len(around) > 0 {
				p.addEntryOf(fn, call, around)
			}
			return true
		})
	}
}

// addEntryOf adds the access to an entry of what the call gives, or to all of them.
func (p *Package) addEntryOf(fn *access.Function, call *ast.CallExpr, around []ast.Node) {
	a := p.within(fn, access.Contents(p.Info, p.gotten(call)), around)
	a.Cell = call
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		a.Base = p.rootOf(sel.X)
	}
	aMap := isMap(p.Info.TypeOf(call))
	switch of := around[len(around)-1].(type) {
	case *ast.IndexExpr:
		if ast.Unparen(of.X) != ast.Expr(call) {
			return
		}
		a.Expr, a.Key, a.Kind = of, of.Index, access.MapElement
		if !aMap {
			a.Kind, a.Key, a.Cell = access.Element, nil, of
		}
		p.addElement(fn, a, around[:len(around)-1])
		return
	case *ast.RangeStmt:
		if of.X != ast.Expr(call) || !aMap {
			return
		}
		a.Expr, a.Kind, a.Method = call, access.MapWhole, "range"
	case *ast.CallExpr:
		id, ok := ast.Unparen(of.Fun).(*ast.Ident)
		if b, builtin := p.Info.Uses[id].(*types.Builtin); !ok || !builtin || !aMap || len(of.Args) == 0 || of.Args[0] != ast.Expr(call) {
			return
		} else if a.Method = b.Name(); a.Method == "delete" && len(of.Args) == 2 {
			a.Kind, a.Key, a.Mode = access.MapElement, of.Args[1], atomicity.Write
		} else if a.Kind = access.MapWhole; a.Method == "clear" {
			a.Mode = atomicity.Write
		} else if a.Method != "len" {
			return
		}
		a.Expr = of
	default:
		return
	}
	fn.Accesses = insert(fn.Accesses, a, a.End())
}

// addElement adds the read or the write of an element, or both, by what stands around it.
func (p *Package) addElement(fn *access.Function, a *access.Access, around []ast.Node) {
	reads, writes := true, false
	switch s := around[len(around)-1].(type) {
	case *ast.AssignStmt:
		for _, l := range s.Lhs {
			if l == a.Expr {
				reads, writes = s.Tok != token.ASSIGN, true
			}
		}
	case *ast.IncDecStmt:
		writes = true
	case *ast.UnaryExpr:
		if s.Op == token.AND {
			return
		}
	}
	write := *a
	write.Mode = atomicity.Write
	if reads {
		fn.Accesses = insert(fn.Accesses, a, a.End())
	}
	if writes {
		if reads {
			a.Update, write.Update = &write, a
		}
		fn.Accesses = insert(fn.Accesses, &write, a.End())
	}
}

func isMapOrSlice(t types.Type) bool {
	_, list := t.Underlying().(*types.Slice)
	return list || isMap(t)
}
