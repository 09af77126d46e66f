package section

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// foundGone finds objects that are found in a map under its lock and used under a lock of
// their own, where the function that deletes them from the map takes apart what is used:
//
//	h.mu.RLock(); p := h.plugins[name]; h.mu.RUnlock()
//	p.mu.Lock()
//	p.client.Call(…)          // Unload: delete(h.plugins, name); p.mu.Lock(); p.client = nil
func (s *search) foundGone() {
	if s.shared.Constructing(s.body) || !s.shared.Launched(s.body) && !s.shared.Entered(s.body) || s.recovers() {
		return
	}
	for _, u := range s.order {
		v, ok := u.place.Root.(*types.Var)
		if !ok || u.Kind != access.Cell || u.Mode != atomicity.Read || u.via != nil || !u.Var.Obj.IsField() || !u.held.Any() {
			continue
		}
		found := s.listedIn(v)
		if found == nil || s.before(u, found) || s.reachOf(found) < shared.Meant || !s.fails(u) || s.testsState(v, u) {
			continue
		}
		if slices.ContainsFunc(locksOf(found.held), func(l accesses.Place) bool { return u.held[l] > locks.Possible }) {
			continue // the map's lock is held still
		}
		for _, l := range locksOf(u.held) {
			if l.Root != u.place.Root || u.held[l] == locks.Possible {
				continue
			}
			gone, in := s.removedAndTakenApart(found, u.Var, locks.ClassOf(l))
			if gone == nil {
				continue
			}
			c := s.direct("testuse", "use-after-unlock", found.source(), found.Pos(), u.Pos())
			c.Via = found.via
			c.EndName = s.pkg.Name(u.Var)
			c.Roles = [2]string{"looked up", "used"}
			c.Message = fmt.Sprintf("by the time %s is taken, %s can have deleted %s from %s and taken %s away, which is used here", l, in.Name, v.Name(), strings.TrimSuffix(s.pkg.Name(found.Var), "[]"), u.place)
			s.tell(c, u, gone.Access)
			return
		}
	}
}

// testsState says whether the body tests a field of the object before the use, with a lock
// held: it may tell that the object is gone.
func (s *search) testsState(v *types.Var, u *occurrence) bool {
	return slices.ContainsFunc(s.order, func(r *occurrence) bool {
		return r != u && r.Mode == atomicity.Read && r.place.Root == types.Object(v) && r.held.Any() && s.decided(s.testsOf(r.Access, true), u.block)
	})
}

// removedAndTakenApart is where another function deletes entries of the map, and sets the
// variable to nil under a lock of the class.
func (s *search) removedAndTakenApart(found *occurrence, v access.Var, class string) (*occurrence, *access.Function) {
	for _, gone := range s.nilledIn(v) {
		if gone.body.Outermost() == s.body.Outermost() || !gone.lockOf(class).Valid() {
			continue
		}
		if slices.ContainsFunc(s.states[gone.body].order, func(del *occurrence) bool {
			return del.Var == found.Var && del.source().Method == "delete"
		}) {
			return gone.occurrence, gone.body.Fn
		}
	}
	return nil, nil
}
