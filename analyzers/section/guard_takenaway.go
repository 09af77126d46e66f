package section

import (
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// takenAway is the class of the lock under which a method for outside callers, such as Close, sets
// what o reads to nil, and all write it who do, where the body calls it or goes through it at once,
// with no lock held: return p.dial(). It is "" otherwise.
func (s *search) takenAway(o *occurrence) string {
	if o.Mode != atomicity.Read || o.Kind != access.Cell || o.via != nil || len(o.held) > 0 || !o.Var.Obj.IsField() || !s.dereferenced(o) {
		return ""
	}
	class := ""
	for b := range s.shared.Use(o.Var).Clearers() {
		if b.Func == nil || !b.Func.Exported() || b.Func.Signature().Recv() == nil || b.Outermost() == s.body.Outermost() || !s.shared.Entered(b) || s.shared.SetsGoing(b) {
			continue
		}
		s.inState(b, func() {
			for _, w := range s.order {
				if w.Var != o.Var || w.Mode != atomicity.Write || w.via != nil || s.byCount(w) {
					continue // the last one of those who have it
				}
				for _, l := range locksOf(w.held) {
					if w.held[l] == locks.Exclusive && l.Root == w.place.Root && (class == "" || locks.ClassOf(l) < class) {
						class = locks.ClassOf(l)
					}
				}
			}
		})
	}
	if class == "" || !s.writtenOnlyUnder(o.Var, class) {
		return ""
	}
	return class
}

// writtenOnlyUnder says whether all who write the variable once others have the object hold a lock
// of the class.
func (s *search) writtenOnlyUnder(v access.Var, class string) bool {
	for _, k := range s.ownAccesses(v) {
		ok := true
		s.inState(k.body, func() {
			l := k.lockOf(class)
			ok = k.Mode != atomicity.Write || s.reachOf(k.occurrence) == shared.Private || s.setsFirst(k.occurrence) || l.Valid() && k.held[l] == locks.Exclusive
		})
		if !ok {
			return false
		}
	}
	return true
}
