package accesses

import (
	"go/ast"
	"go/token"
	"go/types"
)

// PlainReturn is the return statement with what the locals that it returns were set to
// on the straight way to it, so that
//
//	n := len(s.list)
//	s.mu.Unlock()
//	return n
//
// returns len(s.list). It is ret itself where there is nothing to replace.
func (p *Package) PlainReturn(ret *ast.ReturnStmt) *ast.ReturnStmt {
	if plain := p.returns[ret]; plain != nil {
		return plain
	}
	return ret
}

// plainReturn notes the plain form of ret, which follows the nodes in its block.
func (p *Package) plainReturn(ret *ast.ReturnStmt, before []ast.Node) {
	plain := ret
	for i, e := range ret.Results {
		value := p.setBefore(e, before)
		if value == nil {
			continue
		}
		if plain == ret {
			copied := *ret
			copied.Results = append([]ast.Expr(nil), ret.Results...)
			plain = &copied
		}
		plain.Results[i] = value
	}
	if plain != ret {
		if p.returns == nil {
			p.returns = map[*ast.ReturnStmt]*ast.ReturnStmt{}
		}
		p.returns[ret] = plain
	}
}

// setBefore is what the last of the nodes that assigns to it gives the local e, where that
// is something computed from memory, or nil.
func (p *Package) setBefore(e ast.Expr, before []ast.Node) ast.Expr {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return nil
	}
	v, ok := p.Info.ObjectOf(id).(*types.Var)
	if !ok || IsGlobal(v) || v.IsField() {
		return nil
	}
	for i := len(before) - 1; i >= 0; i-- {
		a, ok := before[i].(*ast.AssignStmt)
		if !ok {
			if mentioned(p.Info, before[i], v) {
				return nil
			}
			continue
		}
		for j, l := range a.Lhs {
			if lid, ok := l.(*ast.Ident); ok && p.Info.ObjectOf(lid) == types.Object(v) {
				if len(a.Lhs) == len(a.Rhs) && (a.Tok == token.ASSIGN || a.Tok == token.DEFINE) && p.computes(a.Rhs[j]) && !mentioned(p.Info, a.Rhs[j], v) {
					return a.Rhs[j]
				}
				return nil
			}
		}
		if mentioned(p.Info, a, v) {
			return nil
		}
	}
	return nil
}

// computes says that e is an operation on memory rather than a new object or what a
// function returns.
func (p *Package) computes(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.SelectorExpr, *ast.IndexExpr, *ast.BinaryExpr:
		return true
	case *ast.UnaryExpr:
		return e.Op == token.NOT
	case *ast.CallExpr:
		id, ok := ast.Unparen(e.Fun).(*ast.Ident)
		if !ok {
			return false
		}
		b, ok := p.Info.Uses[id].(*types.Builtin)
		return ok && (b.Name() == "len" || b.Name() == "cap")
	}
	return false
}

func mentioned(info *types.Info, n ast.Node, v *types.Var) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && info.ObjectOf(id) == types.Object(v)
		return !found
	})
	return found
}
