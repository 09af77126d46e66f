package access

import (
	"go/ast"
	"go/types"
)

// Call finds the access that the call, in fn, makes to the variable v by way of a
// method of the package; nil if it makes none that an atomic section can begin or end
// with.
//
// Such an access has the Kind [Call]. The method has a pointer receiver and gets at a
// field of it directly, or at the entry of a map there whose key is a parameter, so that
// the caller can name the instance; the mode is Write if any of the method's accesses to
// v writes. These accesses are no part of Function.Accesses, for the method's own are
// there; they come behind them in [Package.In], which numbers on in the order of the
// source.
func (p *Package) Call(fn *Function, call *ast.CallExpr, v Var) *Access {
	for _, a := range p.In(fn.Name, p.Name(v)) {
		if a.Kind == Call && a.Expr == ast.Expr(call) && a.Var == v && a.Func == fn {
			return a
		}
	}
	return nil
}

// calls lists the accesses of the Kind Call of f.
func (p *Package) calls(f *Function, methods map[*types.Func][]reached, ordinals map[Var]int) []*Access {
	var list []*Access
	f.Inspect(func(n ast.Node, stmt ast.Stmt, scope ast.Node) {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return
		}
		fn := p.callee(call)
		if fn == nil {
			return
		}
		for _, r := range methods[fn.Origin()] {
			v := r.Access
			if r.parameter != noKey {
				if fn.Signature().Variadic() || len(call.Args) != fn.Signature().Params().Len() {
					continue
				}
				v.Key = call.Args[r.parameter]
			}
			ordinals[v.Var]++
			v.Expr, v.Stmt, v.Scope, v.Func, v.Ordinal = call, stmt, scope, f, ordinals[v.Var]
			list = append(list, &v)
		}
	})
	return list
}

// callee is the method that is called of its own receiver, and not of one within it.
func (p *Package) callee(call *ast.CallExpr) *types.Func {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	s := p.Info.Selections[sel]
	if s == nil || s.Kind() != types.MethodVal || len(s.Index()) != 1 {
		return nil
	}
	fn, _ := s.Obj().(*types.Func)
	return fn
}

// Inspect visits the nodes of the function in the order of the source, each with the
// innermost statement and the innermost function declaration or literal around it,
// or that it is itself.
func (f *Function) Inspect(visit func(n ast.Node, stmt ast.Stmt, scope ast.Node)) {
	var stmt ast.Stmt
	var scope ast.Node
	var stack []func()
	ast.Inspect(f.Node, func(n ast.Node) bool {
		if n == nil {
			stack[len(stack)-1]()
			stack = stack[:len(stack)-1]
			return true
		}
		outerStmt, outerScope := stmt, scope
		stack = append(stack, func() { stmt, scope = outerStmt, outerScope })
		if s, ok := n.(ast.Stmt); ok {
			stmt = s
		}
		switch n.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			scope = n
		}
		visit(n, stmt, scope)
		return true
	})
}
