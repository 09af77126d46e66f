package section

import (
	"fmt"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/internal/facts"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// twoLocks finds fields that two functions test and set, each under a lock of the object,
// and not the same one: both can find a flag unset, and both do what it stands for.
func (s *search) twoLocks() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || s.readies() || !s.shared.Launched(s.body) && !s.shared.Entered(s.body) && !s.shared.Spawned(s.body) {
		return
	}
	reported := map[access.Var]bool{}
	for _, w := range s.order {
		if reported[w.Var] || s.reachOf(w) < shared.Meant {
			continue
		}
		r := s.testedAndSet(w)
		if r == nil || s.saidHere(w) {
			continue
		}
		if other, first := s.setUnderAnother(w); other.occurrence != nil && first {
			reported[w.Var] = true
			c := s.direct("discipline", "unguarded-access", r.Access, r.Pos(), other.Pos())
			c.Roles = [2]string{"tested and set under one lock", "tested and set under another"}
			c.Message = fmt.Sprintf("%s is tested and set here under %s, and under %s in %s: neither keeps the other out, and both can pass the test",
				types.ExprString(r.Cell), anyOf(w.held), anyOf(other.held), other.body.Fn.Name)
			s.tell(c, r, other.Access)
		}
	}
}

// testedAndSet is the test of the field that w writes, in the same critical section of
// locks of the object alone, which decides about the write; or nil.
func (s *search) testedAndSet(w *occurrence) *occurrence {
	if w.Mode != atomicity.Write || w.Kind != access.Cell || w.via != nil || w.later || !w.place.Valid() || !w.Var.Obj.IsField() || !ownLocks(w) {
		return nil
	}
	for _, r := range s.order {
		if r.Mode == atomicity.Read && r.via == nil && r.sameInstance(w) && ownLocks(r) && s.decided(s.testsOf(r.Access, true), w.block) && s.oneHold(r, w) {
			return r
		}
	}
	return nil
}

// ownLocks says whether all that is held are locks of the very object, one of them at least
// for writing.
func ownLocks(o *occurrence) bool {
	return o.held.Excludes() && len(locksOf(o.held)) == len(o.held) && !slices.ContainsFunc(locksOf(o.held), func(l accesses.Place) bool {
		return !l.Beside(o.place)
	})
}

// setUnderAnother is where another function tests and sets the same field, with none of the
// locks held that are held at w; first says that it comes later in the source, or is not
// searched as this function is.
func (s *search) setUnderAnother(w *occurrence) (other placed, first bool) {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, k := range s.ownAccesses(w.Var) {
		if k.Mode != atomicity.Write || k.body.Outermost() == current.body.Outermost() {
			continue
		}
		s.bodyState = s.states[k.body]
		if facts.Apart(w.place, k.place) || s.reachOf(k.occurrence) == shared.Private || s.testedAndSet(k.occurrence) == nil || s.readies() {
			continue
		}
		if slices.ContainsFunc(locksOf(k.held), func(l accesses.Place) bool {
			return slices.ContainsFunc(locksOf(w.held), func(m accesses.Place) bool { return locks.ClassOf(l) == locks.ClassOf(m) || locks.OneField(l, m) })
		}) {
			continue
		}
		s.bodyState = current
		if _, strong, _ := s.shared.RivalsAmong(s.body, w.Var, map[*accesses.Body]bool{k.body: true}); !strong {
			continue
		}
		told := slices.ContainsFunc(s.found, func(c *Candidate) bool {
			return c.Sure && c.Variable == w.Var && c.Entry != nil && c.Entry.Func == k.Func
		})
		return k, !told
	}
	return placed{}, false
}
