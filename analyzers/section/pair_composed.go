package section

import (
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/internal/pattern"
)

// pictures are the names of types whose objects tell people how things stand.
var pictures = pattern.New(`(?i)stat(s|us|istics?)?$|info$|summary|health|progress|snapshot|diagnos|metric|gauge|report|view|page|dump|debug|log|event$|describe|desc$`)

// putTogether says whether what the two have read become two fields of one object, other
// than one that tells people how things stand.
func (s *search) putTogether(lit *ast.CompositeLit, e, o *occurrence) bool {
	t := s.pkg.Info.TypeOf(lit)
	if t == nil {
		return false
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || pictures.MatchString(named.Obj().Name()) || reporting.MatchString(named.Obj().Name()) {
		return false
	}
	if _, ok := named.Underlying().(*types.Struct); !ok {
		return false
	}
	var values []ast.Expr
	for _, el := range lit.Elts {
		if kv, ok := el.(*ast.KeyValueExpr); ok {
			el = kv.Value
		}
		values = append(values, el)
	}
	return s.apartIn(values, e, o)
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
