package accesses

import (
	"go/ast"
	"go/token"
	"go/types"
)

// fits says whether the literal can stand in the place of its call, and gives its
// parameters the names of the arguments if so. They have to be locals that stay what they
// are while it runs.
func (in *inliner) fits(lit *ast.FuncLit, call *ast.CallExpr) bool {
	if hasNames(lit.Type.Results) || call.Ellipsis.IsValid() || !in.simple(lit.Body) {
		return false
	}
	var params []types.Object
	for _, f := range lit.Type.Params.List {
		if _, variadic := f.Type.(*ast.Ellipsis); variadic || len(f.Names) == 0 {
			return false
		}
		for _, id := range f.Names {
			params = append(params, in.object(id))
		}
	}
	if len(params) != len(call.Args) {
		return false
	}
	args := map[types.Object]*ast.Ident{}
	for i, e := range call.Args {
		id, ok := ast.Unparen(e).(*ast.Ident)
		if !ok || !isLocal(in.object(id)) || in.sets(lit.Body, in.object(id)) || in.sets(lit.Body, params[i]) {
			return false
		}
		args[params[i]] = id
	}
	if len(args) == 0 {
		return true
	}
	ast.Inspect(lit.Body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && args[in.object(id)] != nil {
			arg := args[in.object(id)]
			id.Name = arg.Name
			in.stands(id, arg)
		}
		return true
	})
	return true
}

// hasNames says whether the results have names.
func hasNames(results *ast.FieldList) bool {
	return results != nil && len(results.List) > 0 && len(results.List[0].Names) > 0
}

// simple says whether nothing in the body recovers from a panic or has a label.
func (in *inliner) simple(body *ast.BlockStmt) bool {
	ok := true
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.LabeledStmt:
			ok = false
		case *ast.CallExpr:
			if id, isID := ast.Unparen(n.Fun).(*ast.Ident); isID && id.Name == "recover" {
				ok = false
			}
		}
		return ok
	})
	return ok
}

// sets says whether the body may set the variable.
func (in *inliner) sets(body ast.Node, v types.Object) bool {
	found := false
	set := func(e ast.Expr) {
		id, ok := e.(*ast.Ident)
		found = found || ok && in.object(id) == v
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				set(ast.Unparen(l))
			}
		case *ast.IncDecStmt:
			set(ast.Unparen(n.X))
		case *ast.RangeStmt:
			set(n.Key)
			set(n.Value)
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				set(ast.Unparen(n.X))
			}
		}
		return !found
	})
	return found
}

// deferredFirst says whether the defer statements of the body are made on every way
// through it: none lies in a branch or behind a return.
func deferredFirst(body *ast.BlockStmt) bool {
	own, all := 0, 0
	left := false
	for _, s := range body.List {
		if _, ok := s.(*ast.DeferStmt); ok {
			if own++; left {
				return false
			}
		}
		left = left || returns([]ast.Stmt{s})
	}
	inspectBody(body, func(n ast.Node) {
		if _, ok := n.(*ast.DeferStmt); ok {
			all++
		}
	})
	return own == all
}

// started puts what a goroutine begins with, or what is deferred, in the place of the
// local that names it, where nothing else is made of the local: run := s.loop; go run().
// A function or method is also put where the local is called, go func() { run() }().
func (in *inliner) started(fn *ast.FuncDecl) bool {
	type site struct {
		call  *ast.CallExpr
		in    ast.Node // the function or literal around it
		start bool
	}
	used, sites := map[types.Object]int{}, map[types.Object]site{}
	type definition struct {
		list  *[]ast.Stmt
		stmt  *ast.AssignStmt
		value ast.Expr
		in    ast.Node
	}
	defined := map[types.Object]definition{}
	ast.PreorderStack(fn, nil, func(n ast.Node, stack []ast.Node) bool {
		var start, call *ast.CallExpr
		switch n := n.(type) {
		case *ast.CallExpr:
			call = n
		case *ast.Ident:
			if obj := in.object(n); obj != nil {
				used[obj]++
			}
		case *ast.GoStmt:
			start = n.Call
		case *ast.DeferStmt:
			start = n.Call
		case *ast.AssignStmt:
			list := listOf(stack[len(stack)-1])
			if list == nil || n.Tok != token.DEFINE || len(n.Lhs) != 1 || len(n.Rhs) != 1 {
				break
			}
			if id, ok := n.Lhs[0].(*ast.Ident); ok && in.object(id) != nil && in.isFunction(fn, n.Rhs[0]) {
				defined[in.object(id)] = definition{list, n, n.Rhs[0], around(stack)}
			}
		}
		if start != nil {
			call = start
		}
		if call != nil {
			if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok && in.object(id) != nil && sites[in.object(id)].call != call {
				sites[in.object(id)] = site{call, around(stack), start != nil}
			}
		}
		return true
	})
	changed := false
	for obj, d := range defined {
		at, ok := sites[obj]
		if !ok || used[obj] != 2 {
			continue
		}
		if _, lit := ast.Unparen(d.value).(*ast.FuncLit); lit && (!at.start || at.in != d.in) {
			continue // it stays where its text is
		}
		at.call.Fun = d.value
		for i, s := range *d.list {
			if s == ast.Stmt(d.stmt) {
				*d.list = append(append([]ast.Stmt{}, (*d.list)[:i]...), (*d.list)[i+1:]...)
				break
			}
		}
		changed = true
	}
	return changed
}

// around is the innermost function or literal of the stack.
func around(stack []ast.Node) ast.Node {
	for i := len(stack) - 1; i >= 0; i-- {
		switch n := stack[i].(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			return n
		}
	}
	return nil
}

// isFunction says whether e is a literal, a function, a method of a local that is not
// set a second time, or such a local that is a function.
func (in *inliner) isFunction(fn *ast.FuncDecl, e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.FuncLit:
		return true
	case *ast.Ident:
		if _, ok := in.object(e).(*types.Func); ok {
			return true
		}
		v := in.object(e)
		if !isLocal(v) || !in.setOnce(fn, v) {
			return false
		}
		_, ok := v.Type().Underlying().(*types.Signature)
		return ok
	case *ast.SelectorExpr:
		if _, ok := in.object(e.Sel).(*types.Func); !ok {
			return false
		}
		id, ok := ast.Unparen(e.X).(*ast.Ident)
		if !ok {
			return false
		}
		obj := in.object(id)
		if _, imported := obj.(*types.PkgName); imported {
			return true
		}
		return isLocal(obj) && in.setOnce(fn, obj)
	}
	return false
}

// setOnce says whether fn sets the local where it is defined only.
func (in *inliner) setOnce(fn *ast.FuncDecl, v types.Object) bool {
	once := true
	set := func(e ast.Expr) {
		id, ok := ast.Unparen(e).(*ast.Ident)
		once = once && !(ok && in.object(id) == v && id.Pos() != v.Pos())
	}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				set(l)
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				set(n.X)
			}
		}
		return once
	})
	return once
}
