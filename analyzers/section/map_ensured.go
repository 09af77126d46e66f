package section

import (
	"fmt"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// ensured finds functions that make sure, under a lock, that a map has an entry for a key,
// release the lock, and rely on the entry under the next hold without a look, though
// another function deletes entries in between: what is stored into a map that is not there,
// or into an object that is not there, panics.
func (s *search) ensured() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) {
		return
	}
	for _, use := range s.order {
		if use.Kind != access.MapElement || use.Mode != atomicity.Read || use.via != nil || !use.held.Any() || s.reachOf(use) == shared.Private || !s.panicsWithout(use) {
			continue
		}
		made := s.madeSure(use)
		if made == nil || !s.deletedBy(use) {
			continue
		}
		c := s.direct("testuse", "unlock-relock", made.Access, made.Pos(), use.Pos())
		c.Roles = [2]string{"made sure of", "relied upon"}
		c.Message = fmt.Sprintf("another goroutine can delete %s once %s is released after it was made sure of and before it is used here, which panics without it",
			types.ExprString(use.Expr), made.held.Places()[0])
		s.tell(c, made, use.Access)
		return
	}
}

// madeSure is the store of the entry that the body makes where it finds none, in an
// earlier hold of a lock than that of use; nil if there is none, or use comes after a look
// or a store of its own hold.
func (s *search) madeSure(use *occurrence) *occurrence {
	var made *occurrence
	for _, o := range s.order {
		if o == use || o.Access == use.Access || !o.sameInstance(use) || o.lit {
			continue
		}
		before := s.leadsTo(o, use) && !s.leadsTo(use, o)
		switch {
		case before && s.oneHold(o, use) && (o.Mode == atomicity.Write || len(s.testsOf(o.Access, true)) > 0):
			return nil
		case o.Mode == atomicity.Write && o.Method != "delete" && before && s.testedBefore(o) && s.underOneLock(o, use):
			made = o
		case o.Mode == atomicity.Read && before && s.decided(s.testsOf(o.Access, true), use.block):
			return nil // unlock-relock has it
		}
	}
	return made
}

// underOneLock says whether a lock of one class is held at both.
func (s *search) underOneLock(a, b *occurrence) bool {
	return slices.ContainsFunc(a.held.Places(), func(l accesses.Place) bool { return b.lockOf(locks.ClassOf(l)).Valid() })
}
