package section

import (
	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// filledAtFirst says whether no more than one function writes entries of the map that src reads, without a
// lock of the object, while the field is set to another map, or to nil, under the lock that src holds: what it is for
// is the field, and the map that it holds is filled before others have the object.
//
//	func (c *cache) Init() { for i := range n { c.pieces[i] = newPiece(i) } }
//	func (c *cache) Close() { c.mu.Lock(); c.pieces = nil; c.mu.Unlock() }
func (s *search) filledAtFirst(src *occurrence, entries access.Var) bool {
	if src.Var.Contents || src.Var.Obj.Pkg() != s.pkg.Types {
		return false
	}
	var filler *accesses.Body
	for _, w := range s.ownAccesses(entries) {
		if w.Mode != atomicity.Write || s.shared.Constructing(w.body) {
			continue
		}
		private := false
		s.inState(w.body, func() { private = s.reachOf(w.occurrence) == shared.Private })
		if private {
			continue
		}
		if s.ownLockOf(w.occurrence, w.held) || removesEntry(w.Access) || filler != nil && filler != w.body {
			return false
		}
		filler = w.body
	}
	if filler == nil || filler.Func == nil {
		return false
	}
	replaced := false
	for _, w := range s.ownAccesses(src.Var) {
		if w.Mode == atomicity.Write && !s.shared.Constructing(w.body) {
			if !w.held.Any() {
				return false
			}
			replaced = true
		}
	}
	return replaced
}
