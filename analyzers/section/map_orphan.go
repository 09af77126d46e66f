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

// orphaned finds objects that are looked up in a map and grow after the lock of the map
// has been released, while another function removes from the map the objects that it
// finds empty: one that is found empty in between is in no map any more when it grows,
// and what was added to it is lost.
func (s *search) orphaned() {
	if s.shared.Constructing(s.body) || !s.shared.Launched(s.body) && !s.shared.Entered(s.body) && !s.shared.Spawned(s.body) {
		return
	}
	for _, look := range s.order {
		if !looksUp(look.Access) || s.reachOf(look) == shared.Private {
			continue
		}
		for _, gone := range s.removals()[look.Var] {
			if use := s.growsLate(look, gone); use != nil {
				s.orphan(look, gone, use)
				return
			}
		}
	}
}

// looksUp says whether the access finds the object of a key.
func looksUp(a *access.Access) bool {
	if a.Kind == access.SyncMap {
		return a.Method == "Load" || a.Method == "LoadOrStore"
	}
	return a.Kind == access.MapElement && a.Mode == atomicity.Read
}

func (s *search) orphan(look *occurrence, gone *removal, use ast.Node) {
	if _, strong, _ := s.rivals(look.Var); !strong {
		return
	}
	c := s.direct("testuse", "use-after-unlock", look.Access, look.Pos(), use.Pos())
	c.Roles = [2]string{"looked up", "used when it may have been removed"}
	until := "before"
	if l := look.lockOf(gone.class); l.Valid() {
		until = fmt.Sprintf("once %s is released and before", l)
	}
	adds := ""
	if call, ok := use.(*ast.CallExpr); ok {
		adds = fmt.Sprintf("%s is called: what that adds", types.ExprString(call.Fun))
	} else {
		adds = fmt.Sprintf("%s is stored: that", types.ExprString(use.(ast.Expr)))
	}
	c.Message = fmt.Sprintf("%s can find the object empty and remove it from %s %s %s is in no map any more",
		gone.body.Fn.Name, types.ExprString(look.Cell), until, adds)
	s.tell(c, look, gone.delete.source())
}

// growsLate is the call of a method of the object that look has found which makes it
// grow, or what is stored into it, in what the removal asks for, when the lock of the map has
// been released; nil if there is none, or something keeps the removal away.
func (s *search) growsLate(look *occurrence, gone *removal) ast.Node {
	if gone.body.Outermost() == s.body.Outermost() || gone.class != "" && !look.lockOf(gone.class).Valid() {
		return nil
	}
	locals := s.holding(look)
	if len(locals) == 0 {
		return nil
	}
	var use ast.Node
	pinned := false
	again := func(o *occurrence) bool { return o.Var == look.Var && looksUp(o.Access) }
	s.onward(look, func(block, index int, ev accesses.Event, kept locks.Set) bool {
		apart := !slices.ContainsFunc(kept.Places(), func(l accesses.Place) bool { return gone.delete.lockOf(locks.ClassOf(l)).Valid() })
		if o := s.occ[ev.Access]; ev.Kind == accesses.OnAccess && o != nil {
			if again(o) {
				pinned = pinned || use != nil && o.Pos() > use.Pos()
				return true
			}
			if use == nil && apart && slices.Contains(locals, o.place.Root) && gone.asked[o.Var.Obj] && entered(o) && o.lockOf(gone.class).Valid() && !s.looksAtEnd(locals, gone.marks) {
				use = o.Expr
				return false
			}
			if slices.Contains(locals, o.place.Root) && gone.asked[o.Var.Obj] && o.Mode == atomicity.Write && !apart {
				pinned = true // it is no longer empty when the lock is released
			}
			return false
		}
		call, ok := ev.Node.(*ast.CallExpr)
		if !ok || ev.Kind != accesses.OnCall {
			return false
		}
		if slices.ContainsFunc(s.calls[call], again) {
			pinned = pinned || use != nil && call.Pos() > use.Pos()
			return true
		}
		fn, on := s.calledOn(call)
		if fn == nil || !slices.Contains(locals, on) {
			return false
		}
		g := s.growthOf(fn)
		if !g.adds(gone.asked) {
			return false
		}
		switch {
		case !apart:
			pinned = true
		case use == nil && !g.looksAt(gone.marks):
			use = call
		}
		return false
	})
	if pinned || use == nil || s.looksAtEnd(locals, gone.marks) {
		return nil
	}
	return use
}

// calledOn is the method of this package that the call calls, and the local variable
// that it calls it on.
func (s *search) calledOn(call *ast.CallExpr) (*types.Func, types.Object) {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	fn := s.locks.Callee(call)
	if !ok || fn == nil || s.pkg.ByFunc[fn] == nil || fn.Signature().Recv() == nil {
		return nil, nil
	}
	if pl := s.pkg.PlaceOf(sel.X); pl.Valid() && pl.Path == "" && !accesses.IsGlobal(pl.Root) {
		return fn, pl.Root
	}
	return nil, nil
}

// holding are the locals that hold what look has found.
func (s *search) holding(look *occurrence) []types.Object {
	var list []types.Object
	for obj, assigned := range s.values.assigns {
		if _, ok := obj.Type().Underlying().(*types.Pointer); !ok || obj.Parent() == nil {
			continue
		}
		for _, d := range assigned {
			if plain, ok := s.values.of(d.value)[look.Access]; ok && plain && d.plain {
				list = append(list, obj)
				break
			}
		}
	}
	return list
}

// looksAtEnd says whether the body itself looks at one of the fields by which the
// removal marks an object.
func (s *search) looksAtEnd(locals []types.Object, marks map[types.Object]bool) bool {
	return slices.ContainsFunc(s.order, func(o *occurrence) bool {
		return o.Mode == atomicity.Read && marks[o.Var.Obj] && slices.Contains(locals, o.place.Root)
	})
}
