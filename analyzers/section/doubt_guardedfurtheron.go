package section

import (
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/shared"
)

// guardedFurtherOn says whether the function goes on from the end to take a lock of the object for
// the very variable that it has tested and set without:
//
//	if _, ok := l.buckets[key]; !ok { l.buckets[key] = newBucket(l.rate) }
//	l.mu.Lock()
//	n := l.buckets[key].take()
//	l.mu.Unlock()
//
// So the function itself says that others come for the variable meanwhile. One that readies the
// object may have it alone at first.
func (f *finding) guardedFurtherOn(end *hit) bool {
	e := f.entry
	if e.held.Any() || end.held.Any() || e.via != nil || end.via != nil || f.reach < shared.Meant || !f.shared.Entered(f.body) || f.shared.Constructing(f.body) || f.shared.SetsGoing(f.body) || f.setsGoing(end) {
		return false
	}
	return slices.ContainsFunc(f.order, func(o *occurrence) bool {
		return o.Var == e.Var && o.via == nil && o.place == e.place && f.leadsTo(end.occurrence, o) &&
			slices.ContainsFunc(locksOf(o.held), func(l accesses.Place) bool { return l.Root == e.place.Root && f.acquires(l) })
	})
}
