package section

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/atomrace/atomrace/internal/pattern"
)

// pictures are the names of types whose objects tell people how things stand.
var pictures = pattern.New(`(?i)stat(s|us|istics?)?$|info$|summary|health|progress|snapshot|diagnos|metric|gauge|report|view|page|dump|debug|log|event$|describe|desc$`)

// putTogether says whether what the two have read become two fields of one object, other
// than one that tells people how things stand.
func (s *search) putTogether(lit *ast.CompositeLit, e, o *occurrence) bool {
	return makesWhole(s.pkg.Info.TypeOf(lit)) && s.apartIn(partsOfLit(lit), e, o)
}

// makesWhole says whether t is a struct, or a pointer to one, of which the fields make a whole, and
// not just a picture for people.
func makesWhole(t types.Type) bool {
	if t == nil {
		return false
	}
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || pictures.MatchString(named.Obj().Name()) || reporting.MatchString(named.Obj().Name()) {
		return false
	}
	_, ok = named.Underlying().(*types.Struct)
	return ok
}

// partsOfLit are the values that the literal gives to the fields.
func partsOfLit(lit *ast.CompositeLit) []ast.Expr {
	var values []ast.Expr
	for _, el := range lit.Elts {
		if kv, ok := el.(*ast.KeyValueExpr); ok {
			el = kv.Value
		}
		values = append(values, el)
	}
	return values
}

// filledTogether says whether what the two have read become two fields of one local, some of
// which are given their values after it is made: m := T{Leader: x.Leader()}; m.Term = x.Term().
func (s *search) filledTogether(e, o *occurrence) bool {
	fields := map[types.Object][]ast.Expr{}
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		assign, ok := n.(*ast.AssignStmt)
		if !ok || len(assign.Lhs) != len(assign.Rhs) {
			return true
		}
		for i, lhs := range assign.Lhs {
			sel, ok := ast.Unparen(lhs).(*ast.SelectorExpr)
			if !ok || assign.Tok != token.ASSIGN {
				continue
			}
			if local := s.local(sel.X); local != nil && makesWhole(local.Type()) && s.pkg.Info.Selections[sel] != nil {
				fields[local] = append(fields[local], assign.Rhs[i])
			}
		}
		return true
	})
	for local, values := range fields {
		list := s.values.assigns[local]
		if len(list) > 1 || len(list) == 0 {
			continue // a parameter, perhaps, or another object each time
		}
		made := ast.Unparen(list[0].value)
		if u, ok := made.(*ast.UnaryExpr); ok {
			made = ast.Unparen(u.X)
		}
		if lit, ok := made.(*ast.CompositeLit); ok {
			if s.apartIn(append(partsOfLit(lit), values...), e, o) {
				return true
			}
		}
	}
	return false
}

// apartIn says whether one of the values comes from e alone and another one from o alone.
func (s *search) apartIn(list []ast.Expr, e, o *occurrence) bool {
	first, second := false, false
	for _, x := range list {
		_, a := s.values.of(x)[e.Access]
		_, b := s.values.of(x)[o.Access]
		first = first || a && !b
		second = second || b && !a
	}
	return first && second
}
