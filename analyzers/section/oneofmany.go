package section

import (
	"go/ast"
	"go/token"

	"github.com/atomrace/atomrace/analyzers/accesses"
)

// oneOfMany says whether what look reads belongs to an entry of a map or list that the body
// has taken by a key it was given: those who come with another key look at another entry,
// and meet at what all entries have in common.
func (s *search) oneOfMany(look *occurrence) bool {
	root := look.place.Root
	if root == nil || accesses.IsGlobal(root) {
		return false
	}
	for _, d := range s.values.assigns[root] {
		x, ok := ast.Unparen(d.value).(*ast.IndexExpr)
		if !ok {
			continue
		}
		if id, ok := ast.Unparen(x.Index).(*ast.Ident); ok && s.isParameter(id) {
			return true
		}
	}
	return false
}

// outbid says whether the mark sets what look has read to a parameter that a test has found
// to be greater, or less: if term <= x.term { return }; x.term = term. Who comes later with a
// greater one passes the test as well.
func (s *search) outbid(look, mark *occurrence) bool {
	values := stored(mark.Access)
	if len(values) != 1 || mark.via != nil {
		return false
	}
	id, ok := ast.Unparen(values[0]).(*ast.Ident)
	if !ok || !s.isParameter(id) {
		return false
	}
	param := s.pkg.Info.ObjectOf(id)
	for _, test := range s.testsOf(look.Access, true) {
		for _, cond := range s.body.Conds[test] {
			for _, holds := range []bool{true, false} {
				for _, p := range surely(cond, holds) {
					b, ok := ast.Unparen(p.cond).(*ast.BinaryExpr)
					if !ok {
						continue
					}
					switch b.Op {
					case token.LSS, token.LEQ, token.GTR, token.GEQ:
						if s.isObject(b.X, param) || s.isObject(b.Y, param) {
							return true
						}
					}
				}
			}
		}
	}
	return false
}
