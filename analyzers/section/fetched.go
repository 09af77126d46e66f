package section

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// elements finds accesses to fields of an object that was found in a map or slice under its
// lock, after the release of that lock, where other functions find such objects too and
// change the field, all with the lock held:
//
//	s.mu.Lock()
//	e := s.entries[key]
//	s.mu.Unlock()
//	use(e.value, e.expiry) // elsewhere, under s.mu: e.value, e.expiry = …
//
// The lock of the container is that of what it holds, and it is held here for too short.
func (s *search) elements() {
	if !s.shared.Launched(s.body) && !s.shared.Entered(s.body) && !s.shared.Spawned(s.body) || s.readies() {
		return
	}
	reported := map[types.Object]bool{}
	for _, o := range s.order {
		root := o.place.Root
		if o.Kind != access.Cell || o.via != nil || len(o.held) > 0 || root == nil || reported[root] || !o.Var.Obj.IsField() || s.reachOf(o) < shared.Meant {
			continue
		}
		src := s.foundIn(root)
		if src == nil || s.reachOf(src) < shared.Meant || s.waitedBefore(o) || !src.held.Any() {
			continue
		}
		if s.setOnce(o.Var) && s.foundSet(o) {
			continue // it has seen the last of its values
		}
		for _, l := range src.held.Places() {
			if w, in := s.changedInPlace(o, src, l); w != nil {
				reported[root] = true
				s.keptTooShort(o, src, w, l, in)
				break
			}
			if r, in := s.readInPlace(o, src, l); r != nil {
				reported[root] = true
				s.keptTooShort(o, src, r, l, in)
				break
			}
		}
	}
}

func (s *search) keptTooShort(o, src, w *occurrence, l accesses.Place, in *access.Function) {
	c := s.direct("discipline", "unguarded-access", o.Access, o.Pos(), w.Pos())
	does := "changes"
	if w.Mode == atomicity.Read {
		does = "reads"
	}
	c.Roles = [2]string{"accessed without the lock", map[string]string{"changes": "changed", "reads": "read"}[does] + " with it"}
	c.Alike = fmt.Sprint(c.Category, s.body.Fn.Name, c.Name, locks.ClassOf(l))
	what := "read"
	if o.Mode == atomicity.Write {
		what = "written"
	}
	c.Message = fmt.Sprintf("%s is %s here after %s was released, under which it was found in %s: %s %s it with the lock held",
		types.ExprString(o.Expr), what, l, types.ExprString(src.Cell), in.Name, does)
	s.tell(c, o, w.Access)
}

// foundIn is the read, under a lock, of the map entry or element that the local refers to,
// which the body makes itself or by a getter; or nil.
func (s *search) foundIn(local types.Object) *occurrence {
	list := s.values.assigns[local]
	if _, ok := local.Type().Underlying().(*types.Pointer); len(list) != 1 || !ok {
		return nil
	}
	e := ast.Unparen(list[0].value)
	for _, a := range s.values.reads[e] {
		o := s.occ[a]
		if o == nil || a.Kind != access.MapElement && a.Kind != access.Element {
			continue
		}
		if o.via == nil && a.Expr == e || o.via == e && !o.outer.Any() {
			return o
		}
	}
	return nil
}

// changedInPlace is a write by another function to the variable of o, in an object that it
// has found in a container, if all writes are made with a lock of the class of l held.
func (s *search) changedInPlace(o, src *occurrence, l accesses.Place) (*occurrence, *access.Function) {
	class := locks.ClassOf(l)
	if src.held[l] == locks.Possible || l.Root == nil || l.Root != src.place.Root && !accesses.IsGlobal(l.Root) {
		return nil, nil
	}
	var own *accesses.Body
	if o.Mode == atomicity.Write {
		own = s.body
	}
	if !s.changedUnder(o.Var, class, own) {
		return nil, nil
	}
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, k := range s.ownAccesses(o.Var) {
		if k.Mode != atomicity.Write || k.body.Outermost() == current.body.Outermost() {
			continue
		}
		s.bodyState = s.states[k.body]
		if !k.lockOf(class).Valid() || s.reachOf(k.occurrence) == shared.Private || !s.isFound(k.occurrence) {
			continue
		}
		s.bodyState = current
		if _, strong, _ := s.shared.RivalsAmong(s.body, o.Var, map[*accesses.Body]bool{k.body: true}); strong {
			return k.occurrence, k.body.Fn
		}
	}
	return nil, nil
}

// isFound says whether the body has found the object that o is part of in a map or slice.
func (s *search) isFound(o *occurrence) bool {
	found := false
	ast.Inspect(o.Cell, func(n ast.Node) bool {
		_, index := n.(*ast.IndexExpr)
		found = found || index
		return !found
	})
	list := s.values.assigns[o.place.Root]
	if slices.ContainsFunc(list, func(d assignment) bool {
		return d.at <= o.Pos() && d.from <= o.Pos() && o.Pos() < d.to && s.isMade(d.value)
	}) {
		return false
	}
	return found || slices.ContainsFunc(list, func(d assignment) bool {
		return slices.ContainsFunc(s.values.reads[ast.Unparen(d.value)], func(a *access.Access) bool {
			return a.Kind == access.MapElement || a.Kind == access.Element || a.Kind == access.MapWhole || isContainer(s.pkg.Info.TypeOf(a.Expr))
		})
	})
}

// isMade says whether the expression makes an object: &T{…}, new(T).
func (s *search) isMade(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		return s.isMade(e.X)
	case *ast.CompositeLit:
		return true
	case *ast.CallExpr:
		id, ok := ast.Unparen(e.Fun).(*ast.Ident)
		if !ok {
			return false
		}
		b, ok := s.pkg.Info.Uses[id].(*types.Builtin)
		return ok && b.Name() == "new"
	}
	return false
}

// isContainer says whether values of the type have elements.
func isContainer(t types.Type) bool {
	if t == nil {
		return false
	}
	switch t.Underlying().(type) {
	case *types.Map, *types.Slice, *types.Array:
		return true
	}
	return false
}
