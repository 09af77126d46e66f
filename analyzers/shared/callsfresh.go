package shared

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/internal/pattern"
)

// freshOf numbers the local of the body whose method the call is of, if the object was made in the body and
// has only had its fields set and its methods called until then; 0 if that is not so.
//
//	s := server.New()
//	s.SetLimit(10)
func (c *caller) freshOf(b *accesses.Body, call *ast.CallExpr) int {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return 0
	}
	id, ok := ast.Unparen(sel.X).(*ast.Ident)
	if !ok {
		return 0
	}
	v, ok := c.pkg.Info.Uses[id].(*types.Var)
	if !ok || v.IsField() || !b.Encloses(v.Pos()) {
		return 0
	}
	fresh := false
	ast.PreorderStack(b.Block, nil, func(n ast.Node, stack []ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, l := range n.Lhs {
				if l, ok := l.(*ast.Ident); !ok || c.pkg.Info.ObjectOf(l) != types.Object(v) {
					continue
				}
				fresh = c.pkg.Info.Defs[l.(*ast.Ident)] != nil && (len(n.Rhs) == len(n.Lhs) && c.isFresh(n.Rhs[i]) || len(n.Rhs) == 1 && i == 0 && c.isFresh(n.Rhs[0])) &&
					innermostLoop(b, n) == innermostLoop(b, call)
				if !fresh {
					v = nil
					return false
				}
			}
		case *ast.Ident:
			if v != nil && c.pkg.Info.Uses[n] == types.Object(v) && n.Pos() < call.Pos() && !keepsToItself(n, stack) {
				v = nil
			}
		}
		return v != nil
	})
	if v == nil || !fresh {
		return 0
	}
	if c.fresh[v] == 0 {
		c.fresh[v] = len(c.fresh) + 1
	}
	return c.fresh[v]
}

// isFresh says whether the expression makes an object, or calls a function that says so by its name.
func (c *caller) isFresh(e ast.Expr) bool {
	switch e := made(e).(type) {
	case *ast.CompositeLit:
		return true
	case *ast.CallExpr:
		if id, ok := ast.Unparen(e.Fun).(*ast.Ident); ok {
			if bi, ok := c.pkg.Info.Uses[id].(*types.Builtin); ok {
				return bi.Name() == "new"
			}
		}
		fn := c.locks.Callee(e)
		return fn != nil && makers.MatchString(fn.Name())
	}
	return false
}

// makers are the names of functions that return what nobody else has.
var makers = pattern.New(`^(?i:new|make|create)([A-Z_0-9]|$)`)

// keepsToItself says whether a field or method is taken of the variable where it stands, or it is compared.
func keepsToItself(id *ast.Ident, stack []ast.Node) bool {
	for i := len(stack) - 1; i >= 0; i-- {
		if _, captured := stack[i].(*ast.FuncLit); captured {
			return false
		}
	}
	switch parent := stack[len(stack)-1].(type) {
	case *ast.SelectorExpr:
		if parent.X != ast.Expr(id) || len(stack) < 2 {
			return false
		}
		switch around := stack[len(stack)-2].(type) {
		case *ast.CallExpr:
			if around.Fun != ast.Expr(parent) {
				return true // a field is given away, or a method as a value, which the go statement below is about
			}
			if len(stack) > 2 {
				if _, started := stack[len(stack)-3].(*ast.GoStmt); started {
					return false
				}
			}
			return true
		case *ast.UnaryExpr:
			return around.Op != token.AND
		}
		return true
	case *ast.BinaryExpr:
		return true
	}
	return false
}

// eachOf says whether the call is of a method of the element that the goroutine which makes it was begun
// for, one for each element of a list, where the function that starts them waits for all:
//
//	for _, s := range sources {
//		wg.Go(func() { s.Pull() })
//	}
//	wg.Wait()
func (c *caller) eachOf(b *accesses.Body, call *ast.CallExpr) bool {
	lit, ok := b.Node.(*ast.FuncLit)
	sel, named := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || !named || b.Parent == nil {
		return false
	}
	id, ok := ast.Unparen(sel.X).(*ast.Ident)
	loop := innermostLoop(b.Parent, lit)
	if !ok || loop == nil || !c.joinsIn(b.Parent, loop.End(), b.Parent.Block.End()) {
		return false
	}
	if c.elementOf(loop, id, true) {
		return true
	}
	elements := false
	ast.Inspect(loop, func(n ast.Node) bool {
		if start, ok := n.(*ast.GoStmt); ok && ast.Unparen(start.Call.Fun) == ast.Expr(lit) {
			elements = c.givenElements(loop, start.Call)[c.pkg.Info.ObjectOf(id)]
		}
		return !elements
	})
	return elements
}
