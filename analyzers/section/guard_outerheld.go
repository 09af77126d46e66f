package section

import (
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
)

// heldOutside says whether a lock is held at o for writing which all others that write the variable hold as well, if only
// for reading, or in some of the calls by which they are reached: one of them that is called with the lock held for
// reading here and for writing there does hold it.
//
//	r.mu.RLock(); r.ban(x); r.mu.RUnlock()  // ban takes a lock of its own for the map
//	r.mu.Lock(); for x := range r.banned …  // and that one is not needed here
func (s *search) heldOutside(o *occurrence) bool {
	for l, mode := range o.held {
		if mode != locks.Exclusive || l.Root == nil || l.Root != o.place.Root {
			continue
		}
		others, all := false, true
		for _, k := range s.ownAccesses(o.Var) {
			if k.Mode != atomicity.Write || k.body.Outermost() == s.body.Outermost() || s.shared.Constructing(k.body) {
				continue
			}
			s.inState(k.body, func() {
				if s.reachOf(k.occurrence) != shared.Private {
					others, all = true, all && s.mayHold(k.occurrence, locks.ClassOf(l))
				}
			})
		}
		if others && all {
			return true
		}
	}
	return false
}
