package section

import (
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// A state of one field implies that another field has left a state for good where whoever brings
// the first about does so, under the lock, on a way on which that was left:
//
//	if x.conn != nil { return }     // x.conn is set once,
//	x.side = side                   // and this is written before;
//	x.conn = conn
//	x.link = link                   // x.link != nil implies x.conn != nil
//
// Who has found x.link under the lock reads x.side as it stays.

// impliesLeft says whether the state seen, which was found or set under a lock of w's, implies
// that the other one is left.
func (s *search) impliesLeft(seen, left stateSeen, w *occurrence) bool {
	class := lockOfBoth(w, seen.at)
	return class != "" && !seen.excludes(left) && s.implies(seen, left, class, 0)
}

// lockOfBoth is the class of a lock that keeps everybody out at w, and is held at o.
func lockOfBoth(w, o *occurrence) string {
	for _, l := range locksOf(w.held) {
		if class := locks.ClassOf(l); w.held[l] == locks.Exclusive && o.lockOf(class).Valid() {
			return class
		}
	}
	return ""
}

func (s *search) implies(seen, left stateSeen, class string, depth int) bool {
	if seen.excludes(left) {
		return true
	}
	v := seen.at.Var
	if depth > 3 || v.Contents || seen.at.Kind != access.Cell || v.Obj.Exported() || seen.equal == isZeroValue(seen.value) || s.setInLiteral(v.Obj) {
		return false
	}
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, b := range s.pkg.Bodies {
		s.bodyState = s.states[b]
		for _, w := range s.order {
			if w.Var != v || w.Mode != atomicity.Write || w.via != nil {
				continue
			}
			if state, known := s.broughtTo(w); known && state.excludes(seen) {
				continue
			}
			if at := w.lockOf(class); !at.Valid() || w.held[at] != locks.Exclusive || s.shared.Constructing(b) || s.reachOf(w) == shared.Private || !s.broughtAbout(w, left, class, depth) {
				return false
			}
		}
	}
	return true
}

// broughtAbout says whether some state in which the object is on the way to the write w implies
// that the other one is left.
func (s *search) broughtAbout(w *occurrence, left stateSeen, class string, depth int) bool {
	for _, on := range s.statesAt(w) {
		if on.at.lockOf(class).Valid() && s.implies(on, left, class, depth+1) {
			return true
		}
	}
	return false
}

// setInLiteral says whether a composite literal gives the field a value.
func (s *search) setInLiteral(v *types.Var) bool {
	found := false
	for _, file := range s.pkg.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			lit, ok := n.(*ast.CompositeLit)
			if !ok || found {
				return !found
			}
			for _, e := range lit.Elts {
				kv, keyed := e.(*ast.KeyValueExpr)
				if !keyed {
					found = found || holdsField(s.pkg.Info.TypeOf(lit), v)
				} else if id, named := kv.Key.(*ast.Ident); named {
					f, _ := s.pkg.Info.Uses[id].(*types.Var)
					found = found || f != nil && f.Origin() == v.Origin()
				}
			}
			return !found
		})
	}
	return found
}

// holdsField says whether the type is a struct with the field.
func holdsField(t types.Type, v *types.Var) bool {
	if t == nil {
		return false
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem() // of a slice's elements, whose type is left out
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range st.Fields() {
		if f.Origin() == v.Origin() {
			return true
		}
	}
	return false
}
