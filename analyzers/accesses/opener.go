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
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		list := listOf(n)
		if list == nil {
			return true
		}
		var made []ast.Stmt
		for _, s := range *list {
			var opens *ast.Expr
			switch s := s.(type) {
			case *ast.DeferStmt:
				opens = &s.Call.Fun
			case *ast.AssignStmt:
				if len(s.Lhs) == 1 && len(s.Rhs) == 1 {
					opens = &s.Rhs[0]
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
			made = append(made, s)
		}
		*list = made
		return true
	})
	return changed
}

// taken is a copy of a part of the opener for the object, in the place of the call.
func (in *inliner) taken(n ast.Node, o *opener, object ast.Expr, call *ast.CallExpr) ast.Node {
	made := in.placed(n, call, within(call, n.Pos()))
	return in.giving(made, map[types.Object]ast.Expr{o.recv: object})
}
