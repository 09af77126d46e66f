package section

import (
	"maps"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// forgets is the class of the lock under which all other functions change the map that o changes
// without any lock, where a goroutine of the package runs o, or what others can call does so: two
// functions at least hold it for the map, one of them to write. That some function looks into the
// map without the lock as well is no excuse: a change meanwhile ends the program.
func (s *search) forgets(o *occurrence) string {
	u := s.shared.Use(o.Var)
	if u == nil || o.Mode != atomicity.Write || o.Kind != access.MapElement || len(o.held) > 0 || s.reachOf(o) < shared.Meant || s.readies() {
		return ""
	}
	for _, class := range slices.Sorted(maps.Keys(u.Locks)) {
		if s.heldByOthers(o, class) {
			return class
		}
	}
	return ""
}

// heldByOthers says whether a lock of the class is that of all other functions that write what o
// writes.
func (s *search) heldByOthers(o *occurrence, class string) bool {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	holders := map[*accesses.Body]bool{}
	writes := false
	for _, k := range s.ownAccesses(o.Var) {
		if s.bodyState = s.states[k.body]; k.body.Outermost() == current.body.Outermost() || s.reachOf(k.occurrence) == shared.Private {
			continue
		}
		l := k.lockOf(class)
		switch {
		case l.Valid() && l.Root == k.place.Root:
			holders[k.body.Outermost()] = true
			writes = writes || k.Mode == atomicity.Write && k.held[l] == locks.Exclusive && (s.shared.Entered(k.body) || s.shared.Launched(k.body))
		case k.Mode == atomicity.Write && !s.setsFirst(k.occurrence):
			return false
		}
	}
	return writes && len(holders) > 1
}
