package section

import (
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/atomicity"
)

// breaksReadLock says whether the end writes, with a lock of the very object held for reading
// alone, what another function writes with it held for writing: the lock says that
// goroutines meet, whoever may start them, and the other function what it guards.
func (f *finding) breaksReadLock(c *Candidate, end *hit) bool {
	if c.Category != "write-under-rlock" || end.Mode != atomicity.Write || !f.onlyReading(f.entry) || f.shared.Constructing(f.body) {
		return false
	}
	return slices.ContainsFunc(f.entry.held.Places(), func(l accesses.Place) bool {
		if !f.entry.place.In(f.shared.LockOwner(l)) {
			return false
		}
		writer, _ := f.another(f.entry.Var, f.body, func(o *occurrence) bool {
			at := o.lockOf(locks.ClassOf(l))
			return o.Mode == atomicity.Write && at.Valid() && o.held[at] == locks.Exclusive
		})
		return writer != nil
	})
}
