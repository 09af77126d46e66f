package section

import (
	"fmt"
	"slices"

	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// lockedToSet finds fields of an object, found in the map of another one, that are read without a lock
// and then set under that one's lock, which is taken for nothing else:
//
//	c.mu.RLock(); e := c.entries[host]; c.mu.RUnlock()
//	if time.Since(e.at) < ttl { return e.on }
//	on := ask(host)
//	c.mu.Lock(); e.on, e.at = on, time.Now(); c.mu.Unlock()
//
// Who takes the lock to set them knows that others come here with the same object; they read while it sets.
// Where others read them with the lock, it may be one goroutine's to set them, which reads what it has set.
func (s *search) lockedToSet() {
	if !s.shared.Launched(s.body) && !s.shared.Entered(s.body) && !s.shared.Spawned(s.body) || s.shared.Constructing(s.body) {
		return
	}
	for _, w := range s.order {
		if w.Mode != atomicity.Write || w.Kind != access.Cell || w.via != nil || w.lit || w.later || !w.Var.Obj.IsField() || !s.foundBefore(w) || s.reachOf(w) == shared.Private {
			continue
		}
		class := s.takenForStores(w)
		if class == "" || !s.setUnder(w.Var, class) {
			continue
		}
		for _, r := range s.order {
			if r.Mode != atomicity.Read || r.Kind != access.Cell || r.via != nil || r.lit || r.Var != w.Var || r.place != w.place || len(r.held) > 0 || !s.leadsTo(r, w) || s.waitedBefore(r) {
				continue
			}
			l := w.lockOf(class)
			c := s.direct("discipline", "unguarded-access", r.Access, r.Pos(), w.Pos())
			c.Roles = [2]string{"read without the lock", "set with it"}
			c.Alike = fmt.Sprint(c.Category, s.body.Fn.Name, class)
			c.Message = fmt.Sprintf("%s is read here before %s is taken, with which it is set further down: another goroutine that has found the same object can set it meanwhile", r.shown(), l)
			s.tell(c, r, w.Access)
			return
		}
	}
}

// takenForStores is the class of the lock of another object that is held at w for writing, where the body does nothing
// in that hold but set fields of the object that w sets one of; or "".
func (s *search) takenForStores(w *occurrence) string {
	for _, l := range w.held.Places() {
		if l.Root == nil || l.Root == w.place.Root || w.held[l] != locks.Exclusive || len(w.held) != 1 || !s.handles(s.body, l) {
			continue
		}
		if !slices.ContainsFunc(s.order, func(o *occurrence) bool {
			return o != w && s.oneHold(o, w) && (o.place.Root != w.place.Root || o.Mode != atomicity.Write) && o.Var.Obj.IsField()
		}) {
			return locks.ClassOf(l)
		}
	}
	return ""
}

// setUnder says whether all that set the variable, other than in an object of their own, hold a lock of the class, and
// nobody else reads it with one.
func (s *search) setUnder(v access.Var, class string) bool {
	return !slices.ContainsFunc(s.ownAccesses(v), func(k placed) bool {
		held := k.lockOf(class).Valid()
		return k.Mode == atomicity.Write && !held && !s.privateIn(k) || k.Mode == atomicity.Read && held
	})
}
