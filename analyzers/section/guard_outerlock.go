package section

import (
	"fmt"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// outerLock finds fields that are tested under the lock of another object, which is held on,
// and set under the lock of their own, which is taken after the test: others set the field
// under its own lock alone, and the outer one does not keep them out.
//
//	r.mu.Lock()
//	if d := r.doors[k]; d.guest == nil {
//		d.mu.Lock()
//		d.guest = g // elsewhere: d.mu.Lock(); d.guest = h; d.mu.Unlock()
//		d.mu.Unlock()
//	}
//	r.mu.Unlock()
func (s *search) outerLock() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || s.readies() {
		return
	}
	for _, w := range s.order {
		inner := s.innerLock(w)
		if !inner.Valid() || s.reachOf(w) == shared.Private {
			continue
		}
		for _, r := range s.order {
			if r.Mode != atomicity.Read || r.via != nil || r.later || !r.sameInstance(w) || r.lockOf(locks.ClassOf(inner)).Valid() || !r.held.Any() ||
				!s.decided(s.testsOf(r.Access, true), w.block) || !s.oneHold(r, w) || s.testedUnder(inner, w) {
				continue
			}
			other := s.setUnderInner(w, locks.ClassOf(inner), r.held)
			if other == nil {
				continue
			}
			c := s.direct("testuse", "test-before-lock", r.Access, r.Pos(), w.Pos())
			c.Protected = inner.String()
			c.Message = fmt.Sprintf("%s is tested before %s is taken, under which it is set here and in %s: %s, held here, does not keep that out", r.place, inner, other.body.Fn.Name, anyOf(r.held))
			s.tell(c, r, w.Access)
			return
		}
	}
}

// innerLock is the lock of the object itself under which w sets a field of it.
func (s *search) innerLock(w *occurrence) accesses.Place {
	if w.Mode != atomicity.Write || w.Kind != access.Cell || w.via != nil || w.later || !w.place.Valid() || !w.Var.Obj.IsField() {
		return accesses.Place{}
	}
	for _, l := range locksOf(w.held) {
		if w.held[l] == locks.Exclusive && l.Beside(w.place) {
			return l
		}
	}
	return accesses.Place{}
}

// testedUnder says whether the field is looked at once more under the lock before w.
func (s *search) testedUnder(l accesses.Place, w *occurrence) bool {
	return slices.ContainsFunc(s.order, func(r *occurrence) bool {
		return r.Mode == atomicity.Read && r.sameInstance(w) && r.held.Holds(l) && s.decided(s.testsOf(r.Access, false), w.block)
	})
}

// setUnderInner is where another function sets the field under a lock of the class and with
// none of those that are held, if all others who set it hold one of the class.
func (s *search) setUnderInner(w *occurrence, class string, outer locks.Set) *placed {
	var found *placed
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, k := range s.ownAccesses(w.Var) {
		if k.Mode != atomicity.Write || k.body == current.body || s.shared.Constructing(k.body) {
			continue
		}
		s.bodyState = s.states[k.body]
		if s.reachOf(k.occurrence) == shared.Private {
			continue
		}
		if !k.lockOf(class).Valid() || len(locksOf(k.held)) != len(k.held) {
			return nil
		}
		if found != nil || slices.ContainsFunc(locksOf(outer), func(l accesses.Place) bool { return k.lockOf(locks.ClassOf(l)).Valid() }) {
			continue
		}
		if _, strong, _ := s.shared.RivalsAmong(current.body, w.Var, map[*accesses.Body]bool{k.body: true}); strong {
			found = &k
		}
	}
	return found
}
