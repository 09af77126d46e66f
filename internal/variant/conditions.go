package variant

import (
	"go/token"
	"go/types"

	"github.com/dave/dst"
	"github.com/dave/dst/dstutil"
)

// conditions change how conditions are written.
var conditions = []Variant{
	{"condition-named", conditionNamed},
	{"condition-nested", conditionNested},
	{"condition-swapped", conditionSwapped},
	{"condition-compared", conditionCompared},
	{"condition-negated", conditionNegated},
	{"entry-nil", entryNil},
}

var opposite = map[token.Token]token.Token{
	token.EQL: token.NEQ, token.NEQ: token.EQL,
	token.LSS: token.GEQ, token.GEQ: token.LSS,
	token.GTR: token.LEQ, token.LEQ: token.GTR,
}

// negated is the opposite of e.
func (p *program) negated(e dst.Expr) dst.Expr {
	switch e := e.(type) {
	case *dst.ParenExpr:
		return p.negated(e.X)
	case *dst.UnaryExpr:
		if e.Op == token.NOT {
			return e.X
		}
	case *dst.BinaryExpr:
		if op := opposite[e.Op]; op != 0 && !p.isFloat(e.X) {
			e.Op = op
			return e
		}
		switch e.Op {
		case token.LAND:
			return &dst.BinaryExpr{X: p.negated(e.X), Op: token.LOR, Y: p.negated(e.Y)}
		case token.LOR:
			return &dst.ParenExpr{X: &dst.BinaryExpr{X: factor(p.negated(e.X)), Op: token.LAND, Y: factor(p.negated(e.Y))}}
		}
	case *dst.Ident, *dst.CallExpr, *dst.SelectorExpr, *dst.IndexExpr:
		return &dst.UnaryExpr{Op: token.NOT, X: e}
	}
	return &dst.UnaryExpr{Op: token.NOT, X: &dst.ParenExpr{X: e}}
}

// factor puts a disjunction into parentheses.
func factor(e dst.Expr) dst.Expr {
	if b, ok := e.(*dst.BinaryExpr); ok && b.Op == token.LOR {
		return &dst.ParenExpr{X: e}
	}
	return e
}

func (p *program) isFloat(e dst.Expr) bool {
	t := p.typeOf(e)
	if t == nil {
		return true
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsFloat != 0
}

// conditionNamed gives the conditions of if statements a name.
func conditionNamed(p *program) {
	p.perStatement(func(_ *dst.FuncDecl, s dst.Stmt) []dst.Stmt {
		i, ok := s.(*dst.IfStmt)
		if !ok || i.Init != nil {
			return nil
		}
		if _, ok := i.Cond.(*dst.Ident); ok {
			return nil
		}
		name := p.fresh("hold")
		made := statements(name+" := arg0", i.Cond)
		i.Cond = dst.NewIdent(name)
		return append(made, i)
	})
}

// conditionNested makes two if statements of one with &&.
func conditionNested(p *program) {
	p.perStatement(func(_ *dst.FuncDecl, s dst.Stmt) []dst.Stmt {
		i, ok := s.(*dst.IfStmt)
		if !ok || i.Else != nil {
			return nil
		}
		b, ok := i.Cond.(*dst.BinaryExpr)
		if !ok || b.Op != token.LAND {
			return nil
		}
		i.Cond = b.X
		i.Body = &dst.BlockStmt{List: []dst.Stmt{&dst.IfStmt{Cond: b.Y, Body: i.Body}}}
		return []dst.Stmt{i}
	})
}

// conditionSwapped swaps the operands of comparisons.
func conditionSwapped(p *program) {
	swapped := map[token.Token]token.Token{
		token.EQL: token.EQL, token.NEQ: token.NEQ,
		token.LSS: token.GTR, token.GTR: token.LSS, token.LEQ: token.GEQ, token.GEQ: token.LEQ,
	}
	p.replace(p.file, func(_ *dstutil.Cursor, e dst.Expr) dst.Expr {
		b, ok := e.(*dst.BinaryExpr)
		if !ok || swapped[b.Op] == 0 {
			return nil
		}
		return &dst.BinaryExpr{X: b.Y, Op: swapped[b.Op], Y: b.X}
	})
}

// conditionCompared compares what is tested with true or false.
func conditionCompared(p *program) {
	for _, fn := range p.functions() {
		dst.Inspect(fn.Body, func(n dst.Node) bool {
			i, ok := n.(*dst.IfStmt)
			if !ok {
				return true
			}
			switch c := i.Cond.(type) {
			case *dst.UnaryExpr:
				if c.Op == token.NOT {
					i.Cond, p.changed = &dst.BinaryExpr{X: c.X, Op: token.EQL, Y: dst.NewIdent("false")}, true
				}
			case *dst.Ident, *dst.SelectorExpr, *dst.CallExpr:
				i.Cond, p.changed = &dst.BinaryExpr{X: c, Op: token.EQL, Y: dst.NewIdent("true")}, true
			}
			return true
		})
	}
}

// conditionNegated writes a condition as the opposite of its opposite.
func conditionNegated(p *program) {
	for _, fn := range p.functions() {
		dst.Inspect(fn.Body, func(n dst.Node) bool {
			if i, ok := n.(*dst.IfStmt); ok {
				i.Cond = &dst.UnaryExpr{Op: token.NOT, X: &dst.ParenExpr{X: p.negated(i.Cond)}}
				p.changed = true
			}
			return true
		})
	}
}

// entryNil tests entries of maps for nil rather than for being there, where the map
// holds pointers.
func entryNil(p *program) {
	for _, fn := range p.functions() {
		there := map[*types.Var]string{}
		dst.Inspect(fn.Body, func(n dst.Node) bool {
			a, ok := n.(*dst.AssignStmt)
			if !ok || a.Tok != token.DEFINE || len(a.Lhs) != 2 || len(a.Rhs) != 1 {
				return true
			}
			index, ok := a.Rhs[0].(*dst.IndexExpr)
			if !ok {
				return true
			}
			value, ok := a.Lhs[0].(*dst.Ident)
			found, isIdent := a.Lhs[1].(*dst.Ident)
			if !ok || !isIdent || value.Name == "_" || p.defines(found) == nil {
				return true
			}
			if _, ok := p.typeOf(index).(*types.Tuple); ok {
				m, ok := p.typeOf(index.X).Underlying().(*types.Map)
				if !ok {
					return true
				}
				if _, ok := m.Elem().Underlying().(*types.Pointer); !ok {
					return true
				}
				there[p.defines(found)] = value.Name
				a.Lhs = a.Lhs[:1]
				if p.defines(value) == nil {
					a.Tok = token.ASSIGN
				}
			}
			return true
		})
		if len(there) > 0 {
			p.replace(fn.Body, func(_ *dstutil.Cursor, e dst.Expr) dst.Expr {
				id, ok := e.(*dst.Ident)
				if !ok {
					return nil
				}
				v, _ := p.object(id).(*types.Var)
				if name := there[v]; v != nil && name != "" {
					return &dst.ParenExpr{X: &dst.BinaryExpr{X: dst.NewIdent(name), Op: token.NEQ, Y: dst.NewIdent("nil")}}
				}
				return nil
			})
		}
	}
}
