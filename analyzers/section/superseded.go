package section

import (
	"slices"

	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
)

// superseded says whether another function stores objects in the variable on its own, and
// only those that are newer than what is there, by a part of theirs. What is fetched
// without the lock, because nothing was there, can be older than what has come since, and
// takes its place for good: to store it twice is not to store it once.
func (f *finding) superseded(end *hit) bool {
	if end.Mode != atomicity.Write || f.onlyNewer(end.occurrence) {
		return false
	}
	current := f.bodyState
	defer func() { f.bodyState = current }()
	for _, b := range f.pkg.Bodies {
		if b.Outermost() == current.body.Outermost() || f.shared.Constructing(b) {
			continue
		}
		f.bodyState = f.states[b]
		if slices.ContainsFunc(f.order, func(w *occurrence) bool {
			return w.Mode == atomicity.Write && w.Var == f.entry.Var && w.via == nil && w.held.Excludes() && f.reachOf(w) != shared.Private && f.onlyNewer(w)
		}) {
			return true
		}
	}
	return false
}

// onlyNewer says whether the body stores the object because a part of it comes after that
// part of the object which it has found there.
func (s *search) onlyNewer(w *occurrence) bool {
	return slices.ContainsFunc(s.order, func(r *occurrence) bool {
		if r.Mode != atomicity.Read || !r.sameInstance(w) {
			return false
		}
		f := finding{search: s, entry: r}
		return f.newer(&hit{occurrence: w})
	})
}
