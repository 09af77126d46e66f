package access

import (
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/atomicity"
)

// Call finds the access that the call, in fn, makes to the variable v by way of a
// method of the package; nil if it makes none that an atomic section can begin or end
// with.
//
// Such an access has the Kind [Call]. The method has a pointer receiver and gets at a
// field of it directly, so that the caller can name the instance; the mode is Write if
// any of the method's accesses to v writes. These accesses are no part of
// Function.Accesses, for the method's own are there; they come behind them in [Package.In],
// which numbers on in the order of the source.
func (p *Package) Call(fn *Function, call *ast.CallExpr, v Var) *Access {
	for _, a := range p.In(fn.Name, p.Name(v)) {
		if a.Kind == Call && a.Expr == ast.Expr(call) && a.Var == v && a.Func == fn {
			return a
		}
	}
	return nil
}

// calls lists the accesses of the Kind Call of f.
func (p *Package) calls(f *Function, methods map[*types.Func]*Function, ordinals map[Var]int) []*Access {
	var list []*Access
	f.Inspect(func(n ast.Node, stmt ast.Stmt, scope ast.Node) {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return
		}
		for _, v := range p.fields(call, methods) {
			ordinals[v.Var]++
			v.Expr, v.Stmt, v.Scope, v.Func, v.Ordinal = call, stmt, scope, f, ordinals[v.Var]
			list = append(list, &v)
		}
	})
	return list
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

// fields are the fields of its receiver that the called method accesses.
func (p *Package) fields(call *ast.CallExpr, methods map[*types.Func]*Function) []Access {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	s := p.Info.Selections[sel]
	if s == nil || s.Kind() != types.MethodVal || len(s.Index()) != 1 {
		return nil
	}
	fn, ok := s.Obj().(*types.Func)
	if !ok {
		return nil
	}
	method := methods[fn.Origin()]
	if method == nil || fn.Signature().Recv() == nil {
		return nil
	}
	if _, ok := fn.Signature().Recv().Type().(*types.Pointer); !ok {
		return nil
	}
	receiver := p.receiver(method.Decl)
	if receiver == nil {
		return nil
	}
	var list []Access
	at := map[Var]int{}
	for _, a := range method.Accesses {
		if a.Scope != ast.Node(method.Decl) || a.Kind != Cell && a.Kind != Atomic || a.Var.Contents || a.Pointer || a.Promoted {
			continue
		}
		field, ok := ast.Unparen(a.Cell).(*ast.SelectorExpr)
		if !ok || p.Info.Selections[field] == nil || len(p.Info.Selections[field].Index()) != 1 {
			continue
		}
		if id, ok := ast.Unparen(field.X).(*ast.Ident); !ok || p.Info.ObjectOf(id) != receiver {
			continue
		}
		i, known := at[a.Var]
		if !known {
			i = len(list)
			at[a.Var] = i
			list = append(list, Access{Var: a.Var, Mode: atomicity.Read, Kind: Call, Cell: a.Cell, Method: fn.Name()})
		}
		if a.Mode == atomicity.Write {
			list[i].Mode = atomicity.Write
		}
	}
	return list
}

func (p *Package) receiver(d *ast.FuncDecl) types.Object {
	if d.Recv == nil || len(d.Recv.List) != 1 || len(d.Recv.List[0].Names) != 1 {
		return nil
	}
	return p.Info.Defs[d.Recv.List[0].Names[0]]
}

// methods finds the functions of the package by their objects.
func (p *Package) methods() map[*types.Func]*Function {
	found := map[*types.Func]*Function{}
	for _, f := range p.Functions {
		if f.Decl == nil || f.Decl.Recv == nil {
			continue
		}
		if fn, ok := p.Info.Defs[f.Decl.Name].(*types.Func); ok {
			found[fn] = f
		}
	}
	return found
}
