package accesses

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"
)

// An opener is a function that takes a lock and returns what releases it:
//
//	func (s *store) hold() func() { s.mu.Lock(); return s.mu.Unlock }
//
//	defer s.hold()()
//
// What it does is put in the place of its calls.
type opener struct {
	decl  *ast.FuncDecl
	recv  *types.Var
	first []ast.Stmt
	value ast.Expr // a method of the lock, or a literal
}

// findOpeners finds the openers among the declarations of the files.
func (in *inliner) findOpeners(files []*ast.File) {
	in.openers = map[*types.Func]*opener{}
	for _, file := range files {
		for _, d := range file.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil || len(fn.Body.List) < 2 {
				continue
			}
			f, ok := in.info.Defs[fn.Name].(*types.Func)
			if !ok {
				continue
			}
			sig := f.Signature()
			if sig.Recv() == nil || sig.RecvTypeParams() != nil || sig.Params().Len() > 0 || sig.Results().Len() != 1 || !types.Identical(sig.Results().At(0).Type().Underlying(), types.NewSignatureType(nil, nil, nil, nil, nil, false)) {
				continue
			}
			if o := in.opener(sig.Recv(), fn); o != nil {
				in.openers[f] = o
			}
		}
	}
}

// opener is what the function is as one, nil if it is none.
func (in *inliner) opener(recv *types.Var, fn *ast.FuncDecl) *opener {
	last := len(fn.Body.List) - 1
	ret, ok := fn.Body.List[last].(*ast.ReturnStmt)
	if !ok || len(ret.Results) != 1 || in.sets(fn.Body, recv) {
		return nil
	}
	o := &opener{fn, recv, fn.Body.List[:last], ast.Unparen(ret.Results[0])}
	locks := false
	for _, s := range o.first {
		e, ok := s.(*ast.ExprStmt)
		if !ok {
			return nil
		}
		call, ok := e.X.(*ast.CallExpr)
		if !ok || len(call.Args) > 0 {
			return nil
		}
		if f, ok := typeutil.Callee(in.info, call).(*types.Func); ok && f.Pkg() != nil && f.Pkg().Path() == "sync" {
			locks = locks || f.Name() == "Lock" || f.Name() == "RLock"
		}
	}
	switch v := o.value.(type) {
	case *ast.FuncLit:
	case *ast.SelectorExpr:
		if f, ok := in.info.Uses[v.Sel].(*types.Func); !ok || f.Pkg() == nil || f.Pkg().Path() != "sync" || !isPath(v.X) {
			return nil
		}
	default:
		return nil
	}
	if !locks {
		return nil
	}
	return o
}

// calledOpener is the opener that e, a copy, calls, and its object; or nil.
func (in *inliner) calledOpener(e ast.Expr) (*opener, ast.Expr) {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return nil, nil
	}
	fn, object := in.callee(call)
	if o := in.openers[fn]; o != nil && isPath(object) {
		return o, object
	}
	return nil, nil
}

// putOpeners puts what openers do in the place of their calls in fn, a copy: where what they return is deferred, or gets a
// name. It says whether there is one.
func (in *inliner) putOpeners(fn *ast.FuncDecl) bool {
	changed := false
	named := in.namedByOpeners(fn)
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		list := listOf(n)
		if list == nil {
			return true
		}
		var made []ast.Stmt
		for _, s := range *list {
			var opens *ast.Expr
			keep := true
			switch s := s.(type) {
			case *ast.DeferStmt:
				opens = &s.Call.Fun
			case *ast.AssignStmt:
				if len(s.Lhs) == 1 && len(s.Rhs) == 1 {
					opens = &s.Rhs[0]
					id, ok := s.Lhs[0].(*ast.Ident)
					keep = !ok || named[in.object(id)] == nil
				}
			}
			if opens != nil {
				if o, object := in.calledOpener(*opens); o != nil {
					call := ast.Unparen(*opens).(*ast.CallExpr)
					for _, first := range o.first {
						made = append(made, in.taken(first, o, object, call).(ast.Stmt))
					}
					*opens, changed = in.taken(o.value, o, object, call).(ast.Expr), true
				}
			}
			if keep {
				made = append(made, s)
			}
		}
		*list = made
		return true
	})
	for _, released := range named {
		for _, call := range released.calls {
			call.Fun = in.taken(released.value, released.opener, released.object, call).(ast.Expr)
		}
	}
	return changed
}

// A releaser is a local that is set to what an opener returns for an object, each time that it is set, and is called.
type releaser struct {
	*opener
	object ast.Expr
	calls  []*ast.CallExpr
}

// namedByOpeners are the locals of fn by which a lock is released that an opener has taken, where nothing else is made of
// them than to call them, and the object is the same throughout: unlock := s.hold(); …; unlock().
func (in *inliner) namedByOpeners(fn *ast.FuncDecl) map[types.Object]*releaser {
	named, uses := map[types.Object]*releaser{}, map[types.Object]int{}
	other := map[types.Object]bool{}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if len(n.Lhs) != 1 || len(n.Rhs) != 1 {
				break
			}
			id, ok := n.Lhs[0].(*ast.Ident)
			if !ok || !isLocal(in.object(id)) {
				break
			}
			local := in.object(id)
			o, object := in.calledOpener(n.Rhs[0])
			before := named[local]
			switch {
			case o == nil, before != nil && (before.opener != o || types.ExprString(before.object) != types.ExprString(object)), !in.steady(fn, object):
				other[local] = true
			case before == nil:
				named[local] = &releaser{opener: o, object: object}
			}
			uses[local]--
		case *ast.ValueSpec:
			if len(n.Values) == 0 {
				for _, id := range n.Names {
					uses[in.object(id)]--
				}
			}
		case *ast.CallExpr:
			if id, ok := ast.Unparen(n.Fun).(*ast.Ident); ok && named[in.object(id)] != nil {
				released := named[in.object(id)]
				released.calls = append(released.calls, n)
			}
		case *ast.Ident:
			if obj := in.object(n); obj != nil {
				uses[obj]++
			}
		}
		return true
	})
	for local, released := range named {
		_, method := released.value.(*ast.SelectorExpr)
		if other[local] || !method || uses[local] != len(released.calls) {
			delete(named, local)
		}
	}
	return named
}

// steady says whether the path begins with a local that fn does not set anew.
func (in *inliner) steady(fn *ast.FuncDecl, path ast.Expr) bool {
	for {
		sel, ok := ast.Unparen(path).(*ast.SelectorExpr)
		if !ok {
			break
		}
		path = sel.X
	}
	id, ok := ast.Unparen(path).(*ast.Ident)
	return ok && isLocal(in.object(id)) && in.setOnce(fn, in.object(id))
}

// taken is a copy of a part of the opener for the object, in the place of the call.
func (in *inliner) taken(n ast.Node, o *opener, object ast.Expr, call *ast.CallExpr) ast.Node {
	made := in.placed(n, call, within(call, n.Pos()))
	return in.giving(made, map[types.Object]ast.Expr{o.recv: object})
}
