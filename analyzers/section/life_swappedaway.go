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

// swappedAway finds objects that a field pointed to in one critical section, and that are
// added to in a later one, while another function takes what they have and puts another
// object in their place in one: what is added then is in no object that anybody looks at.
//
//	t := d.current()                          // d.tx, under d.mu
//	d.mu.Lock(); t.rows = append(t.rows, v)   // Commit: rows := d.tx.rows; d.tx = &tx{}
func (s *search) swappedAway() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || !s.shared.Launched(s.body) && !s.shared.Entered(s.body) {
		return
	}
	for _, w := range s.order {
		v, ok := w.place.Root.(*types.Var)
		if !ok || w.Mode != atomicity.Write || w.via != nil || w.later || !w.Var.Obj.IsField() || !w.held.Any() || !s.isGrowth(w) && direction(w) <= 0 {
			continue
		}
		look := s.pointedFrom(v)
		if look == nil || s.oneHold(look, w) || !s.leadsTo(look, w) || s.reachOf(look) < shared.Meant || s.readsBetween(look, w) {
			continue
		}
		for _, l := range locksOf(w.held) {
			if w.held[l] != locks.Exclusive || !look.lockOf(locks.ClassOf(l)).Valid() {
				continue
			}
			swap, in := s.takenAndReplaced(look.Var, w.Var, locks.ClassOf(l))
			if swap == nil {
				continue
			}
			if _, strong, _ := s.shared.RivalsAmong(s.body, look.Var, map[*accesses.Body]bool{in: true}); !strong {
				continue
			}
			c := s.direct("testuse", "unlock-relock", look.source(), look.Pos(), w.Pos())
			c.Via = look.via
			c.Protected = l.String()
			c.EndName = s.pkg.Name(w.Var)
			c.Roles = [2]string{"looked at", "added to"}
			c.Message = fmt.Sprintf("%s can take what %s has and put another in its place once %s is released: what is added here is lost", in.Fn.Name, v.Name(), l)
			s.tell(c, look, swap.Access)
			return
		}
	}
}

// pointedFrom is the read of a field, under a lock, whose value the local always is.
func (s *search) pointedFrom(local *types.Var) *occurrence {
	list := s.values.assigns[local]
	if _, ok := local.Type().Underlying().(*types.Pointer); !ok || len(list) != 1 {
		return nil
	}
	e := ast.Unparen(list[0].value)
	for _, a := range s.values.reads[e] {
		o := s.occ[a]
		if o == nil || o.lit || o.depth > 1 || !o.Var.Obj.IsField() || o.Var.Contents || !o.held.Any() || !types.Identical(o.Var.Obj.Type(), local.Type()) {
			continue
		}
		if o.via == nil && a.Kind == access.Cell && a.Expr == e || o.via != nil && s.returnsItself(o, local.Type()) {
			return o
		}
	}
	return nil
}

// readsBetween says whether the field is read once more in the critical section of w.
func (s *search) readsBetween(look, w *occurrence) bool {
	return slices.ContainsFunc(s.order, func(r *occurrence) bool {
		return r != look && r.Var == look.Var && (s.oneHold(r, w) || s.oneHold(w, r))
	})
}

// takenAndReplaced is where another function reads the part of what the field points to, and
// sets the field to another object, in one hold of a lock of the class.
func (s *search) takenAndReplaced(field, part access.Var, class string) (*occurrence, *accesses.Body) {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, swap := range s.ownAccesses(field) {
		if swap.Mode != atomicity.Write || swap.body.Outermost() == current.body.Outermost() || swap.held[swap.lockOf(class)] != locks.Exclusive {
			continue
		}
		s.bodyState = s.states[swap.body]
		if slices.ContainsFunc(s.order, func(r *occurrence) bool {
			return r.Mode == atomicity.Read && r.Var.Obj == part.Obj && s.oneHold(r, swap.occurrence)
		}) {
			return swap.occurrence, swap.body
		}
	}
	return nil, nil
}
