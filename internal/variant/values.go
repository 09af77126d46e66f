package variant

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/dave/dst"
)

// values change how values are computed and handed on.
var values = []Variant{
	{"value-named", valueNamed},
	{"result-named", resultNamed},
	{"update-longhand", updateLonghand},
	{"update-shorthand", updateShorthand},
	{"define-var", defineVar},
}

// valueNamed computes what is stored in fields, maps and slices into a local first.
func valueNamed(p *program) {
	p.perStatement(func(_ *dst.FuncDecl, s dst.Stmt) []dst.Stmt {
		a, ok := s.(*dst.AssignStmt)
		if !ok || a.Tok != token.ASSIGN || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
			return nil
		}
		switch a.Lhs[0].(type) {
		case *dst.SelectorExpr, *dst.IndexExpr:
		default:
			return nil
		}
		t := p.typeOf(a.Rhs[0])
		if t == nil || p.text(t) == "" || p.constant(a.Rhs[0]) {
			return nil
		}
		if _, ok := a.Rhs[0].(*dst.Ident); ok || !types.Identical(t, p.typeOf(a.Lhs[0])) {
			return nil
		}
		name := p.fresh("value")
		made := statements(name+" := arg0", a.Rhs[0])
		a.Rhs[0] = dst.NewIdent(name)
		return append(made, a)
	})
}

// constant says that e has a constant value, or is nil.
func (p *program) constant(e dst.Expr) bool {
	if e, ok := e.(*dst.Ident); ok && e.Name == "nil" {
		return true
	}
	from, ok := p.origin[e].(ast.Expr)
	return ok && (p.info.Types[from].Value != nil || p.info.Types[from].IsNil())
}

// resultNamed computes what is returned into locals first.
func resultNamed(p *program) {
	for _, fn := range p.functions() {
		body := &dst.BlockStmt{List: fn.Body.List}
		before := len(p.used)
		if p.beforeReturns(fn, body, "") && len(p.used) > before {
			fn.Body.List, p.changed = body.List, true
		}
	}
}

// updateLonghand writes x++ as x = x + 1, and x op= y as x = x op y.
func updateLonghand(p *program) {
	ops := map[token.Token]token.Token{token.ADD_ASSIGN: token.ADD, token.SUB_ASSIGN: token.SUB, token.OR_ASSIGN: token.OR, token.INC: token.ADD, token.DEC: token.SUB}
	p.perStatement(func(_ *dst.FuncDecl, s dst.Stmt) []dst.Stmt {
		switch s := s.(type) {
		case *dst.IncDecStmt:
			return statements("arg0 = arg1 "+ops[s.Tok].String()+" 1", s.X, copyOf(s.X))
		case *dst.AssignStmt:
			if op := ops[s.Tok]; op != 0 {
				return statements("arg0 = arg1 "+op.String()+" (arg2)", s.Lhs[0], copyOf(s.Lhs[0]), s.Rhs[0])
			}
		}
		return nil
	})
}

// updateShorthand writes x = x + y as x += y, and x++ as x += 1.
func updateShorthand(p *program) {
	p.perStatement(func(_ *dst.FuncDecl, s dst.Stmt) []dst.Stmt {
		switch s := s.(type) {
		case *dst.IncDecStmt:
			if s.Tok == token.INC {
				return statements("arg0 += 1", s.X)
			}
			return statements("arg0 -= 1", s.X)
		case *dst.AssignStmt:
			if len(s.Lhs) != 1 || len(s.Rhs) != 1 || s.Tok != token.ASSIGN {
				return nil
			}
			if b, ok := s.Rhs[0].(*dst.BinaryExpr); ok && path(b.X) != "" && path(b.X) == path(s.Lhs[0]) {
				switch b.Op {
				case token.ADD:
					return statements("arg0 += arg1", s.Lhs[0], b.Y)
				case token.SUB:
					return statements("arg0 -= arg1", s.Lhs[0], b.Y)
				}
			}
		}
		return nil
	})
}

// defineVar writes x := y as var x = y.
func defineVar(p *program) {
	p.perStatement(func(_ *dst.FuncDecl, s dst.Stmt) []dst.Stmt {
		a, ok := s.(*dst.AssignStmt)
		if !ok || a.Tok != token.DEFINE {
			return nil
		}
		spec := &dst.ValueSpec{Values: a.Rhs}
		for _, e := range a.Lhs {
			id, ok := e.(*dst.Ident)
			if !ok || id.Name != "_" && p.defines(id) == nil {
				return nil
			}
			spec.Names = append(spec.Names, id)
		}
		return []dst.Stmt{&dst.DeclStmt{Decl: &dst.GenDecl{Tok: token.VAR, Specs: []dst.Spec{spec}}}}
	})
}
