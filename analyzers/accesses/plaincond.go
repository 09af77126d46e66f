package accesses

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
)

// reversed are the comparisons by what they are with the operands swapped, and opposite
// by what they are when they are negated.
var (
	reversed = map[token.Token]token.Token{
		token.EQL: token.EQL, token.NEQ: token.NEQ,
		token.LSS: token.GTR, token.GTR: token.LSS, token.LEQ: token.GEQ, token.GEQ: token.LEQ,
	}
	opposite = map[token.Token]token.Token{
		token.EQL: token.NEQ, token.NEQ: token.EQL,
		token.LSS: token.GEQ, token.GEQ: token.LSS, token.LEQ: token.GTR, token.GTR: token.LEQ,
	}
)

// Reversed is the comparison that op is with its operands swapped, or token.ILLEGAL if it is none.
func Reversed(op token.Token) token.Token { return reversed[op] }

// Opposite is the comparison that op is when it is negated, or token.ILLEGAL if it is none.
func Opposite(op token.Token) token.Token { return opposite[op] }

// plain is the condition e as most people would write it, so that no rule has to know
// other ways to say the same: nil == x is x == nil, x == false is !x, !(a || b) is
// !a && !b, and a name that the statement before has given to a condition is that
// condition. The parts of e that are not conditions
// stay the nodes that they are.
func (p *Package) plain(e ast.Expr, not bool) ast.Expr {
	switch c := e.(type) {
	case *ast.ParenExpr:
		return p.plain(c.X, not)
	case *ast.UnaryExpr:
		if c.Op != token.NOT {
			break
		}
		if x := ast.Unparen(c.X); !not && !composed(x) {
			return c
		}
		return p.plain(c.X, !not)
	case *ast.BinaryExpr:
		if made := p.plainBinary(c, not); made != nil {
			return made
		}
	}
	if not {
		return p.made(&ast.UnaryExpr{OpPos: e.Pos(), Op: token.NOT, X: e}, e)
	}
	return e
}

// composed says that the opposite of e can be said without a negation.
func composed(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BinaryExpr:
		return true
	case *ast.UnaryExpr:
		return e.Op == token.NOT
	}
	return false
}

// plainBinary is plain for what joins or compares two operands, nil where it cannot be
// turned round.
func (p *Package) plainBinary(c *ast.BinaryExpr, not bool) ast.Expr {
	x, op, y := c.X, c.Op, c.Y
	switch {
	case op == token.LAND || op == token.LOR:
		if x, y = p.plain(x, not), p.plain(y, not); not {
			op = token.LAND + token.LOR - op
		}
	case reversed[op] != 0:
		if p.known(x) && !p.known(y) {
			x, op, y = y, reversed[op], x
		}
		if v := p.Info.Types[y].Value; v != nil && v.Kind() == constant.Bool && opposite[op] != 0 && isBool(p.Info.TypeOf(x)) {
			return p.plain(x, (constant.BoolVal(v) == (op == token.NEQ)) != not)
		}
		if not {
			if (op == token.EQL || op == token.NEQ) || isInteger(p.Info.TypeOf(x)) {
				op = opposite[op]
			} else {
				return nil // neither is true of what is no number
			}
		}
	default:
		return nil
	}
	if x == c.X && op == c.Op && y == c.Y {
		return c
	}
	return p.made(&ast.BinaryExpr{X: x, OpPos: c.OpPos, Op: op, Y: y}, c)
}

// known says that e is a constant or nil.
func (p *Package) known(e ast.Expr) bool {
	tv := p.Info.Types[e]
	return tv.Value != nil || tv.IsNil()
}

// made gives a new condition the type of the one that it stands for.
func (p *Package) made(e, like ast.Expr) ast.Expr {
	if !p.ownTypes {
		info := *p.Info
		info.Types = maps.Clone(info.Types)
		p.Info, p.ownTypes = &info, true
	}
	p.Info.Types[e] = types.TypeAndValue{Type: p.Info.TypeOf(like)}
	return e
}

func isBool(t types.Type) bool { return isBasic(t, types.IsBoolean) }

func isInteger(t types.Type) bool { return isBasic(t, types.IsInteger|types.IsString) }

func isBasic(t types.Type, kind types.BasicInfo) bool {
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&kind != 0
}

// named is the condition to which the last statement before it, or the only one that sets
// it, has given its name, e itself if it is no such name.
func (p *Package) named(e ast.Expr, before []ast.Node) ast.Expr {
	x, not := ast.Unparen(e), false
	if u, ok := x.(*ast.UnaryExpr); ok && u.Op == token.NOT {
		x, not = ast.Unparen(u.X), true
	}
	id, ok := x.(*ast.Ident)
	if !ok || p.Info.ObjectOf(id) == nil {
		return e
	}
	value := p.conditions[p.Info.ObjectOf(id)]
	if len(before) > 0 {
		if a, ok := before[len(before)-1].(*ast.AssignStmt); ok && len(a.Lhs) == 1 && len(a.Rhs) == 1 && (a.Tok == token.ASSIGN || a.Tok == token.DEFINE) {
			if l, ok := a.Lhs[0].(*ast.Ident); ok && p.Info.ObjectOf(id) == p.Info.ObjectOf(l) {
				value = a.Rhs[0]
			}
		}
	}
	if value == nil {
		return e
	}
	return p.plain(value, not)
}

// nameConditions notes what locals that are true or false, and are set once only, are
// defined as.
func (p *Package) nameConditions() {
	p.conditions = map[types.Object]ast.Expr{}
	again := map[types.Object]bool{}
	set := func(e ast.Expr) {
		if id, ok := ast.Unparen(e).(*ast.Ident); ok {
			again[p.Info.ObjectOf(id)] = true
		}
	}
	for _, file := range p.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for i, l := range n.Lhs {
					if id, ok := l.(*ast.Ident); ok && p.Info.Defs[id] != nil && len(n.Lhs) == len(n.Rhs) && isBool(p.Info.Defs[id].Type()) {
						p.conditions[p.Info.Defs[id]] = n.Rhs[i]
					} else {
						set(l)
					}
				}
			case *ast.UnaryExpr:
				if n.Op == token.AND {
					set(n.X)
				}
			case *ast.RangeStmt:
				set(n.Key)
				set(n.Value)
			}
			return true
		})
	}
	maps.DeleteFunc(p.conditions, func(v types.Object, _ ast.Expr) bool { return again[v] })
}
