package section

import (
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// returned are the reads that the results of b tell about: they flow into a
// returned value, or into a condition that decides between results which are
// fixed, such as true and false, an error and nil, or the element that was looked for and nil.
func (s *search) returned(b *accesses.Body, st *bodyState) map[*access.Access]bool {
	set := map[*access.Access]bool{}
	fixed := true
	for _, events := range b.Events {
		for _, ev := range events {
			if ret, ok := ev.Node.(*ast.ReturnStmt); ok && ev.Kind == accesses.OnReturn {
				for _, e := range s.pkg.PlainReturn(ret).Results {
					fixed = fixed && (s.fixed(e) || st.values.isElement(e))
					index := st.values.isIndex(e)
					for a, plain := range st.values.of(e) {
						if plain || index {
							set[a] = true
						}
					}
					for _, o := range st.order {
						if o.Kind == access.Atomic && o.Mode == atomicity.Read && o.via == nil && s.partOfLoaded(st, o.Access, e) {
							set[o.Access] = true
						}
					}
					for a, plain := range st.values.of(st.values.copyWith(e)) {
						if plain && (a.Kind == access.Cell || a.Kind == access.MapElement) {
							set[a] = true
						}
					}
				}
				if len(ret.Results) == 0 {
					fixed = false
				}
			}
		}
	}
	if fixed {
		for _, conds := range b.Conds {
			for _, c := range conds {
				for a, plain := range st.values.of(c) {
					if plain || st.values.walks(c, a) {
						set[a] = true
					}
				}
			}
		}
	}
	return set
}

// partOfLoaded says whether e is what the pointer that was loaded points to, *x.list.Load(), or a
// map or slice there, x.now.Load().routes.
func (s *search) partOfLoaded(st *bodyState, load *access.Access, e ast.Expr) bool {
	switch st.values.underlying(e).(type) {
	case *types.Map, *types.Slice, *types.Struct:
	default:
		return false
	}
	switch ast.Unparen(e).(type) {
	case *ast.StarExpr, *ast.SelectorExpr:
		c := &contents{search: s, values: st.values, read: load, seen: map[ast.Expr]bool{}}
		return c.in(e, 0)
	}
	return false
}

// fixed says whether e has one value each time, or is an error that is made
// there.
func (s *search) fixed(e ast.Expr) bool {
	tv := s.pkg.Info.Types[e]
	if tv.Value != nil || tv.IsNil() {
		return true
	}
	return accesses.IsFailure(s.pkg.Info, e)
}

// chosenKey is 1 more than the index of the result that b chooses by looking into a
// map whether it is taken: for id := 0; …; id++ { if _, ok := m[id]; !ok { return id } }.
// It is 0 if o is no such look.
func (s *search) chosenKey(b *accesses.Body, st *bodyState, o *occurrence) int {
	key, ok := o.Key.(*ast.Ident)
	if !ok || o.Kind != access.MapElement && o.Kind != access.SyncMap || o.via != nil {
		return 0
	}
	obj := s.pkg.Info.ObjectOf(key)
	found := 0
	for block, events := range b.Events {
		for _, ev := range events {
			ret, ok := ev.Node.(*ast.ReturnStmt)
			if !ok || ev.Kind != accesses.OnReturn {
				continue
			}
			for i, e := range ret.Results {
				if id, ok := ast.Unparen(e).(*ast.Ident); !ok || s.pkg.Info.ObjectOf(id) != obj {
					continue
				}
				current := s.bodyState
				s.bodyState = st
				if s.decided(s.testsOf(o.Access, true), block) {
					found = i + 1
				}
				s.bodyState = current
			}
		}
	}
	return found
}

// copyWith is the copy of a struct, in a local or an entry of a map, of which e is a field;
// or nil.
func (v *values) copyWith(e ast.Expr) ast.Expr {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	if _, isStruct := v.underlying(sel.X).(*types.Struct); !isStruct {
		return nil
	}
	switch x := ast.Unparen(sel.X).(type) {
	case *ast.Ident, *ast.IndexExpr:
		return x
	}
	return nil
}
