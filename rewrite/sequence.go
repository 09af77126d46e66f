package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// Go leaves open when a variable is read that stands before a call in one
// expression: in return x.n, f() the compiler reads x.n after f has run. A
// hook, being a call itself, would fix the read before f. The language allows
// that, yet a program may have come to rely on its compiler, so a read is not
// hooked for races alone where a later call could make the difference.

// precedesCall says whether the access is a read of plain memory with a call
// after it in the same statement that is not ordered behind it anyway.
func precedesCall(info *types.Info, a *access.Access) bool {
	if a.Mode != atomicity.Read || a.Kind != access.Cell && a.Kind != access.Element || a.Update != nil || a.Stmt == nil {
		return false
	}
	found := false
	ast.Inspect(a.Stmt, func(n ast.Node) bool {
		if _, isStmt := n.(ast.Stmt); isStmt && n != ast.Node(a.Stmt) {
			return false
		}
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BinaryExpr:
			if (n.Op == token.LAND || n.Op == token.LOR) && contains(n.X, a.Expr) {
				return false // what is on the right comes after; the left is visited below
			}
		case *ast.CallExpr:
			found = found || n.Pos() >= a.Expr.End() && isCall(info, n)
		}
		return !found
	})
	if found {
		return true
	}
	// The left operands of && and || that hold the access, on their own.
	ast.Inspect(a.Stmt, func(n ast.Node) bool {
		b, ok := n.(*ast.BinaryExpr)
		if ok && (b.Op == token.LAND || b.Op == token.LOR) && contains(b.X, a.Expr) {
			found = found || callAfter(info, b.X, a.Expr)
		}
		return !found
	})
	return found
}

func callAfter(info *types.Info, in ast.Expr, e ast.Expr) bool {
	found := false
	ast.Inspect(in, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BinaryExpr:
			if (n.Op == token.LAND || n.Op == token.LOR) && contains(n.X, e) {
				return false
			}
		case *ast.CallExpr:
			found = found || n.Pos() >= e.End() && isCall(info, n)
		}
		return !found
	})
	return found
}

// isCall tells calls that run code of the program from conversions and
// built-in functions.
func isCall(info *types.Info, c *ast.CallExpr) bool {
	tv, ok := info.Types[ast.Unparen(c.Fun)]
	return !ok || !tv.IsType() && !tv.IsBuiltin()
}
