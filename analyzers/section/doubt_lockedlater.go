package section

import (
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// lockedLater says whether the function goes on from the end, the store of an entry of a map for
// which it has found none, to take a lock of the very object that the map is a part of, and to
// change another map of it: it takes the object for shared itself, and too late.
//
//	if !r.seen[k] { r.seen[k] = true }
//	r.mu.Lock()
//	r.counts[k] = 1
//	r.mu.Unlock()
//
// A function that a goroutine of the package begins with may be the one that has the first map.
func (f *finding) lockedLater(end *hit) bool {
	e := f.entry
	if e.Kind != access.MapElement || end.Kind != access.MapElement || end.Mode != atomicity.Write || e.via != nil || end.via != nil || e.held.Any() || end.held.Any() ||
		!f.shared.Entered(f.body) || f.shared.Spawned(f.body) || f.shared.Constructing(f.body) || f.shared.SetsGoing(f.body) {
		return false
	}
	return slices.ContainsFunc(f.order, func(w *occurrence) bool {
		return w.Mode == atomicity.Write && w.Kind == access.MapElement && w.via == nil && w.Var != e.Var && w.place.Beside(e.place) && f.leadsTo(end.occurrence, w) &&
			slices.ContainsFunc(locksOf(w.held), func(l accesses.Place) bool { return w.held[l] == locks.Exclusive && l.Beside(w.place) && f.acquires(l) })
	})
}

// takesEntry says whether the store marks an entry that the test has found free, with a constant.
func (f *finding) takesEntry(end *hit) bool {
	values := stored(end.Access)
	return len(values) == 1 && f.pkg.Info.Types[values[0]].Value != nil && f.entry.key == end.key
}
