package section

import (
	"slices"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// hasSet says whether the body reads what it has stored itself on its way there, as nobody else does; or is a literal of
// a function that sets the object going, which has stored it before:
//
//	s.mu.Lock(); s.server = newServer(); s.mu.Unlock() // Shutdown reads it under the lock
//	go func() { s.server.ListenAndServe() }()
func (s *search) hasSet(o *occurrence) bool {
	if o.Kind != access.Cell || o.Mode != atomicity.Read || s.setByOthers(o.Var) {
		return false
	}
	if slices.ContainsFunc(s.order, func(w *occurrence) bool {
		return w.Mode == atomicity.Write && w.sameInstance(o) && s.leadsTo(w, o)
	}) {
		return true
	}
	if !s.shared.SetsGoing(s.body.Outermost()) {
		return false
	}
	for lit := s.body; lit.Parent != nil; lit = lit.Parent {
		if slices.ContainsFunc(s.states[lit.Parent].order, func(w *occurrence) bool {
			return w.Mode == atomicity.Write && w.sameInstance(o) && s.pkg.Order(w.Pos()) < s.pkg.Order(lit.Node.Pos())
		}) {
			return true
		}
	}
	return false
}
