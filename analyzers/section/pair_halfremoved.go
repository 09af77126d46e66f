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

// halfRemoved finds entries that are taken out of a list or slice in one critical section
// and out of the map that belongs to it, by a key of theirs, in a later one: who looks the
// key up in between finds what is no longer in the list, or stores another entry for it,
// which is deleted instead.
func (s *search) halfRemoved() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) {
		return
	}
	var removals []removedPart
	for _, gone := range s.order {
		if gone.source().Method != "delete" || gone.Kind != access.MapElement || gone.lit || gone.later || !gone.place.Valid() || !gone.Var.Obj.IsField() ||
			!gone.held.Any() || s.reachOf(gone) == shared.Private {
			continue
		}
		if removals == nil {
			removals = s.removedParts()
		}
		for _, r := range removals {
			if !r.from.Beside(gone.place) || r.from == gone.place || !s.leadsTo(r.occurrence, gone) || s.before(gone, r) ||
				s.oneHold(r.occurrence, gone) || !s.keyedBy(gone, r) || s.lookedUpFirst(gone) {
				continue
			}
			for _, l := range locksOf(r.held) {
				class := locks.ClassOf(l)
				if !gone.lockOf(class).Valid() {
					continue
				}
				if in := s.insertsInto(gone.Var, r.list, class); in != nil {
					s.tookHalf(gone, r, in)
					return
				}
			}
		}
	}
}

func (s *search) tookHalf(gone *occurrence, r removedPart, in *accesses.Body) {
	if _, strong, _ := s.shared.RivalsAmong(s.body, gone.Var, map[*accesses.Body]bool{in: true}); !strong {
		return
	}
	c := s.direct("testuse", "unlock-relock", gone.source(), r.Pos(), gone.Pos())
	c.EndVia = gone.via
	c.Roles = [2]string{"left behind", "deleted"}
	c.Message = fmt.Sprintf("the entry is taken out of %s here, and deleted from %s in a later critical section: what %s does with the key in between is lost",
		r.from, gone.place, in.Fn.Name)
	s.tell(c, gone, gone.source())
}

// A removedPart is where the body takes an element out of a list, heap or slice in a field.
type removedPart struct {
	*occurrence
	from accesses.Place
	list *types.Var
}

// removedParts are those with a lock held.
func (s *search) removedParts() []removedPart {
	list := []removedPart{}
	s.locks.Walk(s.body, func(block, index int, ev accesses.Event, held locks.Set) {
		call, ok := ev.Node.(*ast.CallExpr)
		if !ok || ev.Kind != accesses.OnCall || !held.Any() {
			return
		}
		fn := s.locks.Callee(call)
		if fn == nil || fn.Pkg() == nil || fn.Name() != "Remove" && fn.Name() != "Pop" {
			return
		}
		var x ast.Expr
		switch sel, isSel := ast.Unparen(call.Fun).(*ast.SelectorExpr); {
		case fn.Pkg().Path() == "container/list" && isSel:
			x = sel.X
		case fn.Pkg().Path() == "container/heap" && len(call.Args) > 0:
			x = call.Args[0]
		default:
			return
		}
		if u, isAddr := ast.Unparen(x).(*ast.UnaryExpr); isAddr {
			x = u.X
		}
		if v := s.variable(x); v != nil && v.IsField() {
			o := &occurrence{Access: &access.Access{Expr: call}, block: block, index: index, held: held, outer: held}
			list = append(list, removedPart{o, s.pkg.PlaceOf(x), v})
		}
	})
	for _, w := range s.order {
		if w.Mode != atomicity.Write || w.Kind != access.Cell || w.via != nil || !w.held.Any() || !w.Var.Obj.IsField() || !isSlice(w.Var.Obj.Type()) {
			continue
		}
		values := stored(w.Access)
		if len(values) != 1 {
			continue
		}
		e := ast.Unparen(values[0])
		if call, ok := e.(*ast.CallExpr); ok && call.Ellipsis.IsValid() && s.moves(call, w.Var) {
			e = ast.Unparen(call.Args[0])
		}
		if x, ok := e.(*ast.SliceExpr); ok && s.variable(x.X) == w.Var.Obj {
			list = append(list, removedPart{w, w.place, w.Var.Obj})
		}
	}
	return list
}

// keyedBy says whether the key of the entry deleted is that of the element taken out.
func (s *search) keyedBy(gone *occurrence, r removedPart) bool {
	key := gone.Key
	if gone.via != nil {
		if len(gone.via.Args) == 0 {
			return false
		}
		key = gone.via.Args[0]
	}
	return key != nil && s.comesOut(key, r, 0)
}

// comesOut says whether the value of e comes from the call that removes, or was read from
// the list before in the same critical section.
func (s *search) comesOut(e ast.Expr, r removedPart, depth int) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.SelectorExpr:
			if s.variable(n) == r.list && depth > 0 {
				found = n.End() <= r.Expr.End() || n.Pos() >= r.Pos()
				return false
			}
		case *ast.Ident:
			list := s.values.assigns[s.pkg.Info.ObjectOf(n)]
			if len(list) == 1 && depth < 3 {
				found = found || s.comesOut(list[0].value, r, depth+1)
			}
		}
		return !found
	})
	return found
}

// lookedUpFirst says whether the map is looked into in the critical section that deletes.
func (s *search) lookedUpFirst(gone *occurrence) bool {
	if gone.via != nil {
		return false
	}
	return slices.ContainsFunc(s.order, func(o *occurrence) bool {
		return o.Mode == atomicity.Read && o.Var == gone.Var && o.Kind == access.MapElement && s.leadsTo(o, gone) && s.oneHold(o, gone)
	})
}

// insertsInto is another function that stores an entry in the map, for a key that it is
// given, and handles the list, with a lock of the class held.
func (s *search) insertsInto(m access.Var, list *types.Var, class string) *accesses.Body {
	for _, b := range s.pkg.Bodies {
		if b.Outermost() == s.body.Outermost() || b.Func == nil || s.shared.Constructing(b) || !s.names(b, list) {
			continue
		}
		for _, w := range s.states[b].order {
			if w.Var != m || w.Mode != atomicity.Write || w.Method == "delete" || w.via != nil || !w.lockOf(class).Valid() || w.Key == nil {
				continue
			}
			given := false
			for p := range b.Func.Signature().Params().Variables() {
				given = given || s.mentions(w.Key, p)
			}
			if given {
				return b
			}
		}
	}
	return nil
}

// names says whether the body mentions the field.
func (s *search) names(b *accesses.Body, field *types.Var) bool {
	found := false
	ast.Inspect(b.Block, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && s.variable(sel) == field {
			found = true
		}
		return !found
	})
	return found
}
