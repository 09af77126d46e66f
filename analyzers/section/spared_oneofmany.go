package section

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity/access"
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

// ofAnotherEntry says whether what look reads is the entry of a map at a key that the body was
// given, and the end is of what has nothing to do with that key, another map's entry or the
// object itself: who has taken another entry comes to the end as well.
func (f *finding) ofAnotherEntry(look *occurrence, end *hit) bool {
	if look.Kind != access.MapElement || look.Key == nil {
		return false
	}
	given := f.paramIn(look.Key)
	if given == nil {
		return false
	}
	key := end.Key
	if end.via != nil {
		key = end.keyArg
	}
	if key == nil {
		of, _ := end.place.Root.(*types.Var)
		return end.via == nil && end.Kind == access.Cell && of != nil && (f.isReceiver(of) || accesses.IsGlobal(of))
	}
	if id, ok := ast.Unparen(key).(*ast.Ident); ok {
		if loop := f.loopOf(f.pkg.Info.ObjectOf(id)); loop != nil {
			return !f.mentions(loop.X, given) // several entries can list the same one
		}
	}
	own := map[types.Object]bool{given: true}
	for obj, list := range f.values.assigns {
		for _, d := range list {
			if slices.Contains(f.values.reads[ast.Unparen(d.value)], look.Access) {
				own[obj] = true
			}
		}
	}
	for obj := range own {
		if f.search.madeOf(key, obj) {
			return false
		}
	}
	return true
}

// paramIn is the parameter that the key is, or is a part of.
func (s *search) paramIn(key ast.Expr) types.Object {
	x, _ := partOf(s.values.named(key))
	if id, ok := x.(*ast.Ident); ok && s.isParameter(id) {
		return s.pkg.Info.ObjectOf(id)
	}
	return nil
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
