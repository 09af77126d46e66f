package section

import (
	"fmt"
	"go/ast"
	"go/types"

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
	reported := map[ast.Expr]bool{}
	for _, o := range s.order {
		if o.via != nil || len(o.held) > 0 || !o.Var.Obj.IsField() || s.reachOf(o) == shared.Private {
			continue
		}
		switch o.Kind {
		case access.Cell, access.MapElement, access.MapWhole:
		default:
			continue
		}
		src := s.foundFor(o)
		if src == nil || reported[src.Expr] || src.Var == o.Var || !s.sharedBy(src) || s.waitedBefore(o) || !src.held.Any() || s.takenOut(src, o) {
			continue
		}
		if s.setOnce(o.Var) && s.foundSet(o) || o.Mode == atomicity.Read && s.logged(o) {
			continue // it has seen the last of its values, or they are for people
		}
		for _, l := range src.held.Places() {
			if w, in := s.changedInPlace(o, src, l); w != nil {
				reported[src.Expr] = true
				s.keptTooShort(o, src, w, l, in)
				break
			}
			if r, in := s.readInPlace(o, src, l); r != nil {
				reported[src.Expr] = true
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
		if k.heldAs(class) <= locks.Possible || s.reachOf(k.occurrence) == shared.Private || !s.isMember(k.Cell, k.occurrence, 0) {
			continue
		}
		s.bodyState = current
		if _, strong, _ := s.shared.RivalsAmong(s.body, o.Var, map[*accesses.Body]bool{k.body: true}); strong {
			return k.occurrence, k.body.Fn
		}
	}
	return nil, nil
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
