package rewrite

import (
	"go/ast"
	"go/token"
	"strconv"

	"github.com/dave/dst"
)

// Constructors for the syntax that the passes emit.

func ident(name string) *dst.Ident { return dst.NewIdent(name) }

func selector(x, sel string) dst.Expr {
	return &dst.SelectorExpr{X: ident(x), Sel: ident(sel)}
}

func call(fun dst.Expr, args ...dst.Expr) *dst.CallExpr {
	return &dst.CallExpr{Fun: fun, Args: args}
}

func address(x dst.Expr) dst.Expr { return &dst.UnaryExpr{Op: token.AND, X: x} }

func number(n int) dst.Expr {
	return &dst.BasicLit{Kind: token.INT, Value: strconv.Itoa(n)}
}

func define(name string, value dst.Expr) dst.Stmt {
	return &dst.AssignStmt{Lhs: []dst.Expr{ident(name)}, Tok: token.DEFINE, Rhs: []dst.Expr{value}}
}

func assign(to, value dst.Expr) dst.Stmt {
	return &dst.AssignStmt{Lhs: []dst.Expr{to}, Tok: token.ASSIGN, Rhs: []dst.Expr{value}}
}

func statement(c *dst.CallExpr) dst.Stmt { return &dst.ExprStmt{X: c} }

// immediately is func() { list }() as a simple statement, for the places of
// the grammar that take no block.
func immediately(list []dst.Stmt) dst.Stmt {
	lit := &dst.FuncLit{Type: &dst.FuncType{Func: true, Params: &dst.FieldList{Opening: true, Closing: true}}, Body: &dst.BlockStmt{List: list}}
	return statement(call(lit))
}

// again copies an expression without its comments and line breaks.
func again(e dst.Expr) dst.Expr {
	c := dst.Clone(e).(dst.Expr)
	dst.Inspect(c, func(n dst.Node) bool {
		if n != nil {
			*n.Decorations() = dst.NodeDecs{}
		}
		return true
	})
	return c
}

// gotoTargets are the labels that goto statements of the function name.
func gotoTargets(n ast.Node) map[string]bool {
	targets := map[string]bool{}
	if n == nil {
		return targets
	}
	ast.Inspect(n, func(c ast.Node) bool {
		if lit, ok := c.(*ast.FuncLit); ok && lit != n {
			return false
		}
		if b, ok := c.(*ast.BranchStmt); ok && b.Tok == token.GOTO && b.Label != nil {
			targets[b.Label.Name] = true
		}
		return true
	})
	return targets
}

// isEffectful says whether evaluating the expression twice, or later, could be
// noticed: it calls, receives, or makes a function value.
func isEffectful(e dst.Expr) bool {
	found := false
	dst.Inspect(e, func(n dst.Node) bool {
		switch n := n.(type) {
		case *dst.CallExpr, *dst.FuncLit, *dst.CompositeLit:
			found = true
		case *dst.UnaryExpr:
			found = found || n.Op == token.ARROW
		}
		return !found
	})
	return found
}

// truth is an untyped true, whatever the file has made of that name.
func (p *pass) truth() dst.Expr {
	if p.shadowsTrue {
		return &dst.ParenExpr{X: &dst.BinaryExpr{X: number(0), Op: token.EQL, Y: number(0)}}
	}
	return ident("true")
}

// declares says whether anything in the file is declared by that name.
func (p *pass) declares(name string) bool {
	found := false
	ast.Inspect(p.file, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Name == name && p.info.Defs[id] != nil {
			found = true
		}
		return !found
	})
	return found || p.plan.pkg.Types.Scope().Lookup(name) != nil
}
