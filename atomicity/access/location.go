package access

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/atomrace/atomrace/atomicity"
)

// maxCode bounds the length of a location's Code, in runes.
const maxCode = 120

// Location describes the access for atomicity.yaml: mode, ordinal, code and,
// as a hint, the line.
func (p *Package) Location(a *Access) atomicity.Location {
	return atomicity.Location{
		Access:  a.Mode,
		Ordinal: a.Ordinal,
		Code:    a.Code(),
		Line:    p.Fset.Position(a.Pos()).Line,
	}
}

// Code is the innermost statement around the access on one line, in a form
// that does not depend on its formatting; of a compound statement it is the
// part that holds the access ("if len(q) > 0"). The bodies of function and
// composite literals are left out.
func (a *Access) Code() string {
	code := strings.Join(strings.Fields(a.text()), " ")
	if runes := []rune(code); len(runes) > maxCode {
		code = string(runes[:maxCode-1]) + "…"
	}
	return code
}

func (a *Access) text() string {
	stmt := a.Stmt
	if a.Source != nil {
		stmt = a.Source
	}
	switch s := stmt.(type) {
	case *ast.AssignStmt:
		return exprList(s.Lhs) + " " + s.Tok.String() + " " + exprList(s.Rhs)
	case *ast.IncDecStmt:
		return types.ExprString(s.X) + s.Tok.String()
	case *ast.ExprStmt:
		return types.ExprString(s.X)
	case *ast.SendStmt:
		return types.ExprString(s.Chan) + " <- " + types.ExprString(s.Value)
	case *ast.GoStmt:
		return "go " + types.ExprString(s.Call)
	case *ast.DeferStmt:
		return "defer " + types.ExprString(s.Call)
	case *ast.ReturnStmt:
		return "return " + exprList(s.Results)
	case *ast.IfStmt:
		return "if " + types.ExprString(s.Cond)
	case *ast.RangeStmt:
		return "range " + types.ExprString(s.X)
	case *ast.ForStmt:
		if s.Cond != nil {
			return "for " + types.ExprString(s.Cond)
		}
	case *ast.SwitchStmt:
		if s.Tag != nil {
			return "switch " + types.ExprString(s.Tag)
		}
	case *ast.CaseClause:
		for _, e := range s.List {
			if e.Pos() <= a.Pos() && a.Pos() < e.End() {
				return "case " + types.ExprString(e)
			}
		}
	}
	return types.ExprString(a.Expr)
}

func exprList(list []ast.Expr) string {
	texts := make([]string, len(list))
	for i, e := range list {
		texts[i] = types.ExprString(e)
	}
	return strings.Join(texts, ", ")
}
