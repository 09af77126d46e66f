package accesses

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// given makes the receiver, the parameters and the named results of a rest those that it
// is given: the variable itself where it is one, and else what a statement assigns.
func (j *joining) given(of *ast.FuncDecl, g *types.Func, recv ast.Expr, call *ast.CallExpr, as use, into []*ast.Ident) ([]ast.Stmt, bool) {
	sig := g.Signature()
	if sig.TypeParams() != nil || sig.RecvTypeParams() != nil || sig.Variadic() && !call.Ellipsis.IsValid() || len(call.Args) != sig.Params().Len() {
		return nil, false
	}
	names, args := of.Type.Params, call.Args
	if of.Recv != nil {
		if recv == nil || j.info.TypeOf(recv) == nil || !types.Identical(j.info.TypeOf(recv), sig.Recv().Type()) {
			return nil, false
		}
		names = &ast.FieldList{List: slices.Concat(of.Recv.List, names.List)}
		args = slices.Concat([]ast.Expr{recv}, args)
	}
	same := map[types.Object]types.Object{}
	var define *ast.AssignStmt
	i := 0
	for _, field := range names.List {
		if len(field.Names) == 0 {
			i++ // what it is given is not used
		}
		for _, id := range field.Names {
			arg := args[i]
			i++
			v := j.info.Defs[id]
			if named, ok := arg.(*ast.Ident); ok {
				w, isVar := j.info.Uses[named].(*types.Var)
				if isVar && !IsGlobal(w) && (v == nil || w.Name() == v.Name() && types.Identical(w.Type(), v.Type()) && !j.changes(of, v)) {
					if v != nil {
						same[v] = w
					}
					continue
				}
			}
			if define == nil {
				define = &ast.AssignStmt{TokPos: call.Pos(), Tok: token.DEFINE}
			}
			define.Lhs, define.Rhs = append(define.Lhs, id), append(define.Rhs, arg)
		}
	}
	for i := 0; as == asRest && i < sig.Results().Len(); i++ {
		if v, w := sig.Results().At(i), j.sig.Results().At(i); v.Name() != "" && w.Name() != "" {
			same[v] = w
		}
	}
	j.received(of, into, same)
	if as == asExpression && define != nil || j.clashes(of, same) {
		return nil, false
	}
	j.replace(of, same)
	if define == nil {
		return nil, true
	}
	return []ast.Stmt{define}, true
}

// received makes the locals that a function returns those that the call defines of the
// same name.
func (j *joining) received(of *ast.FuncDecl, into []*ast.Ident, same map[types.Object]types.Object) {
	list := j.wholeOf(of).Body.List
	for i, id := range into {
		result, ok := list[len(list)-1].(*ast.ReturnStmt).Results[i].(*ast.Ident)
		if !ok || id.Name == "_" || result.Name != id.Name {
			continue
		}
		v, isVar := j.info.Uses[result].(*types.Var)
		w, isNew := j.info.Defs[id].(*types.Var)
		if isVar && isNew && !IsGlobal(v) && same[v] == nil && of.Body.Pos() < v.Pos() && types.Identical(v.Type(), w.Type()) {
			same[v] = w
		}
	}
}

// clashes says whether a name means one thing in the function and another one in its rest,
// so that expressions that read the same need not be. Errors and flags are no part of such
// expressions.
func (j *joining) clashes(of *ast.FuncDecl, same map[types.Object]types.Object) bool {
	for v := range j.locals(j.wholeOf(of)) {
		if same[v] == nil && j.names[v.Name()] {
			return true
		}
	}
	return false
}

// locals are the variables of the function, but for errors and flags.
func (r *rests) locals(fn *ast.FuncDecl) map[*types.Var]bool {
	set := map[*types.Var]bool{}
	bodies := map[*ast.FuncType]bool{fn.Type: true}
	ast.Inspect(fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			bodies[n.Type] = true
		case *ast.FuncType:
			return bodies[n] // its parameters are nothing but names
		}
		if id, ok := n.(*ast.Ident); ok {
			if v, ok := r.info.Defs[id].(*types.Var); ok && id.Name != "_" && v.Type() != types.Universe.Lookup("error").Type() && v.Type() != types.Typ[types.Bool] {
				set[v] = true
			}
		}
		return true
	})
	return set
}

// wholeOf is the declaration with its own rests.
func (r *rests) wholeOf(fn *ast.FuncDecl) *ast.FuncDecl {
	if w := r.whole[fn]; w != nil {
		return w.decl
	}
	return fn
}

// launches says whether the function starts goroutines: it stands for what is done for
// each call.
func launches(fn *ast.FuncDecl) bool {
	found := false
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		_, ok := n.(*ast.GoStmt)
		found = found || ok
		return !found
	})
	return found
}

// takesLock says whether the function calls something that takes a lock, to judge by its
// name.
func takesLock(fn *ast.FuncDecl) bool {
	found := false
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			id := called(call)
			found = found || id != nil && strings.HasSuffix(strings.ToLower(id.Name), "lock")
		}
		return !found
	})
	return found
}

func called(call *ast.CallExpr) *ast.Ident {
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		return fun
	case *ast.SelectorExpr:
		return fun.Sel
	}
	return nil
}

// changes says whether the function assigns to its parameter, or hands out its address.
func (r *rests) changes(of *ast.FuncDecl, v types.Object) bool {
	found := false
	is := func(e ast.Expr) {
		id, ok := ast.Unparen(e).(*ast.Ident)
		found = found || ok && r.info.ObjectOf(id) == v
	}
	ast.Inspect(of.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				is(e)
			}
		case *ast.IncDecStmt:
			is(n.X)
		case *ast.RangeStmt:
			if n.Key != nil {
				is(n.Key)
			}
			if n.Value != nil {
				is(n.Value)
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				is(n.X)
			}
		}
		return !found
	})
	return found
}

// ownInfo makes what is known of the package a copy, which others do not see.
func (r *rests) ownInfo() {
	if !r.own {
		info := *r.info
		info.Uses, info.Defs, info.Types = maps.Clone(info.Uses), maps.Clone(info.Defs), maps.Clone(info.Types)
		r.info, r.own = &info, true
	}
}

// replace makes the identifiers in a rest that mean one of the objects mean the other one.
func (r *rests) replace(of *ast.FuncDecl, same map[types.Object]types.Object) {
	r.ownInfo()
	ast.Inspect(r.wholeOf(of).Body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if to := same[r.info.Uses[id]]; to != nil {
				r.info.Uses[id] = to
			}
			if to := same[r.info.Defs[id]]; to != nil {
				r.info.Defs[id] = to
			}
		}
		return true
	})
}

// labelled says whether the function has labels, which may be those of another one.
func labelled(fn *ast.FuncDecl) bool {
	found := false
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		_, ok := n.(*ast.LabeledStmt)
		found = found || ok
		return !found
	})
	return found
}
