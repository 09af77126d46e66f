package accesses

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/astutil"
)

// calledAccessor is the accessor that the call, a copy, is of, with what it is given, the receiver first; or nil.
func (in *inliner) calledAccessor(call *ast.CallExpr) (*accessor, []ast.Expr) {
	fn, object := in.callee(call)
	a := in.accessors[fn]
	if a == nil || object == nil {
		return nil, nil
	}
	args := append([]ast.Expr{object}, call.Args...)
	if len(args) != len(a.params) {
		return nil, nil
	}
	if a.uses[a.params[0]] > 1 && !isPath(args[0]) {
		return nil, nil
	}
	for i, v := range a.params {
		if _, constant := ast.Unparen(args[i]).(*ast.BasicLit); a.uses[v] == 0 && !constant && !isPath(args[i]) {
			return nil, nil // it is computed all the same
		}
	}
	return a, args
}

// isPath says whether the expression is a variable, or a field of one.
func isPath(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return true
	case *ast.SelectorExpr:
		return isPath(e.X)
	case *ast.StarExpr:
		return isPath(e.X)
	}
	return false
}

// putAccessors puts what accessors do in the place of their calls in fn, a copy, and says whether there is one.
func (in *inliner) putAccessors(fn *ast.FuncDecl) bool {
	changed := in.putFailures(fn)
	for range 3 {
		again := false
		launched := map[ast.Node]bool{}
		astutil.Apply(fn.Body, func(c *astutil.Cursor) bool {
			switch n := c.Node().(type) {
			case *ast.GoStmt:
				launched[n.Call] = true
			case *ast.DeferStmt:
				launched[n.Call] = true
				if a, args := in.calledAccessor(n.Call); a != nil {
					if does, ok := a.act.(*ast.ExprStmt); ok && in.ofSyncMap(does.X) { // with what it is given now
						n.Call = in.done(does.X, a, args, n.Call).(*ast.CallExpr)
						launched[n.Call], again = true, true
					}
				}
			case *ast.ExprStmt:
				call, ok := n.X.(*ast.CallExpr)
				if !ok {
					break
				}
				launched[call] = true
				if a, args := in.calledAccessor(call); a != nil && a.act != nil {
					c.Replace(in.done(a.act, a, args, call))
					again = true
					return false
				} else if a != nil && a.result != nil {
					if _, does := a.result.(*ast.CallExpr); does { // and what it returns is not asked for
						n.X = in.done(a.result, a, args, call).(ast.Expr)
						again = true
						return false
					}
				}
			}
			return true
		}, func(c *astutil.Cursor) bool {
			call, ok := c.Node().(*ast.CallExpr)
			if !ok || launched[call] {
				return true
			}
			if a, args := in.calledAccessor(call); a != nil && a.result != nil {
				made := in.done(a.result, a, args, call).(ast.Expr)
				if _, binary := made.(*ast.BinaryExpr); binary {
					p := &ast.ParenExpr{Lparen: call.Pos(), X: made, Rparen: call.Rparen}
					in.stands(p, a.result)
					made = p
				}
				c.Replace(made)
				again = true
			}
			return true
		})
		if !again {
			break
		}
		changed = true
	}
	return changed
}

// done is a copy of what the accessor does, with what it is given by the call, in whose place it lies.
func (in *inliner) done(n ast.Node, a *accessor, args []ast.Expr, call *ast.CallExpr) ast.Node {
	if f, ok := in.info.Defs[a.decl.Name].(*types.Func); ok {
		in.inPlace[f] = true
	}
	made := in.placed(n, call, within(call, n.Pos()))
	given := map[types.Object]ast.Expr{}
	for i, v := range a.params {
		given[v] = args[i]
	}
	return in.giving(made, given)
}

// original is the call of the source that the copy stands for.
func original(old map[ast.Node]ast.Node, call *ast.CallExpr) *ast.CallExpr {
	if first, ok := old[call].(*ast.CallExpr); ok {
		return first
	}
	return call
}

// Put is the call in whose place the expression was put that an accessor consists of, and where the accessor has it; nil
// for other expressions.
func (p *Package) Put(e ast.Expr) (call *ast.CallExpr, at token.Pos) {
	if call = p.copied.put[e]; call == nil {
		return nil, token.NoPos
	}
	return call, p.copied.old[e].Pos()
}

// withoutAccessors is the file without the declarations of the accessors that nothing mentions any more.
func (in *inliner) withoutAccessors(file *ast.File, mentioned map[*types.Func]bool) *ast.File {
	gone := func(d ast.Decl) bool {
		fn, ok := d.(*ast.FuncDecl)
		if !ok {
			return false
		}
		first := fn
		if o, ok := in.old[fn].(*ast.FuncDecl); ok {
			first = o
		}
		f, ok := in.info.Defs[first.Name].(*types.Func)
		return ok && in.accessors[f] != nil && in.inPlace[f] && !mentioned[f] && !in.wanted[f.Name()]
	}
	if !slices.ContainsFunc(file.Decls, gone) {
		return file
	}
	copied := *file
	copied.Decls = slices.DeleteFunc(slices.Clone(file.Decls), gone)
	return &copied
}
