package section

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// pointedTo finds fields of an object that was taken out of a map or list under a lock, and
// stays there, which are read when the lock has been released, where all others write them
// under that lock: the pointer is a copy, but what it points to is not.
func (s *search) pointedTo() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || !s.shared.Launched(s.body) && !s.shared.Entered(s.body) && !s.shared.Spawned(s.body) {
		return
	}
	reported := map[types.Object]bool{}
	for _, o := range s.order {
		root := o.place.Root
		if o.Mode != atomicity.Read || o.Kind != access.Cell || o.via != nil || len(o.held) > 0 || !o.Var.Obj.IsField() || !severalWords(o.Var.Obj.Type()) || root == nil || reported[root] || accesses.IsGlobal(root) {
			continue
		}
		src := s.listedIn(root)
		if src == nil || s.before(o, src) || s.reachOf(src) < shared.Meant || s.setOnce(o.Var) || s.rewrites(src) {
			continue
		}
		for _, l := range locksOf(src.held) {
			class := locks.ClassOf(l)
			if l.Root != src.place.Root || !s.changedUnder(o.Var, class, s.body) || s.keptElsewhere(o.Var, class) || !s.readUnder(o.Var, class) {
				continue
			}
			if _, strong, _ := s.shared.Rivals(s.body, o.Var); !strong {
				continue
			}
			keeper, in := s.another(o.Var, s.body, func(k *occurrence) bool { return k.Mode == atomicity.Write && k.lockOf(class).Valid() })
			if keeper == nil {
				continue
			}
			reported[root] = true
			c := s.direct("discipline", "unguarded-access", o.Access, o.Pos(), keeper.Pos())
			c.Roles = [2]string{"read without the lock", "written with it"}
			c.Alike = fmt.Sprint(c.Category, s.body.Fn.Name, class)
			c.Message = fmt.Sprintf("%s is read here after %s was released: %s is still in %s, and %s writes it with the lock held",
				types.ExprString(o.Expr), l, root.Name(), strings.TrimSuffix(s.pkg.Name(src.Var), "[]"), in.Name)
			s.tell(c, o, keeper.Access)
			break
		}
	}
}

// severalWords says whether a value of the type can be read half old and half new.
func severalWords(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.String
	case *types.Slice, *types.Interface:
		return true
	case *types.Struct:
		return accesses.TypeName(t) != nil && accesses.TypeName(t).Name() == "Time"
	}
	return false
}

// listedIn is the read, under a lock of its own object, of the entry of a map or slice that
// the local always points to, by the body or by a getter, or nil.
func (s *search) listedIn(local types.Object) *occurrence {
	list := s.values.assigns[local]
	if _, ok := local.Type().Underlying().(*types.Pointer); !ok || len(list) != 1 {
		return nil
	}
	e := ast.Unparen(list[0].value)
	for _, a := range s.values.reads[e] {
		if src := s.occ[a]; src != nil && !src.lit && (src.via == nil || !src.outer.Any()) && (a.Kind == access.MapElement || a.Kind == access.Element) && a.Expr == e && s.ownLockOf(src, src.held) {
			return src
		}
	}
	return nil
}

// rewrites says whether the body changes the map or list: it may have taken the object out.
func (s *search) rewrites(src *occurrence) bool {
	return slices.ContainsFunc(s.order, func(w *occurrence) bool { return w.Mode == atomicity.Write && w.Var.Obj == src.Var.Obj })
}

// readUnder says whether another function reads the variable with a lock of the class held.
func (s *search) readUnder(v access.Var, class string) bool {
	o, _ := s.another(v, s.body, func(k *occurrence) bool { return k.Mode == atomicity.Read && k.lockOf(class).Valid() })
	return o != nil
}
