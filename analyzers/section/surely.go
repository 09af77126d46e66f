package section

import (
	"go/ast"
	"go/token"
)

// A part is one operand of a condition, and whether it holds.
type part struct {
	cond  ast.Expr
	holds bool
}

// surely are the parts of the condition that are known where it holds, or does not: both
// operands of && where it holds, both of || where it does not.
func surely(cond ast.Expr, holds bool) []part {
	switch e := ast.Unparen(cond).(type) {
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			return surely(e.X, !holds)
		}
	case *ast.BinaryExpr:
		if e.Op == token.LAND && holds || e.Op == token.LOR && !holds {
			return append(surely(e.X, holds), surely(e.Y, holds)...)
		}
	}
	return []part{{cond, holds}}
}
