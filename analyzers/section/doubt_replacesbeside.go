package section

import (
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// replacesBeside says whether the branch that the test leads to also replaces, under the lock of the
// end and without a look at it, another field of the object by something that keeps state, such as a
// connection or a channel:
//
//	if c.connected { return nil }
//	c.mu.Lock()
//	defer c.mu.Unlock()
//	conn, err := dial(c.addr)
//	…
//	c.conn = conn
//	c.connected = true
//
// To set the flag twice is to set it once, but the first connection is lost, and stays open.
func (f *finding) replacesBeside(end *hit) bool {
	if f.entry.held.Any() || f.body.Func == nil || !f.shared.Entered(f.body) || f.shared.Constructing(f.body) || f.reach < shared.Meant || end.Mode != atomicity.Write {
		return false
	}
	return slices.ContainsFunc(f.order, func(w *occurrence) bool {
		if w.Mode != atomicity.Write || w.Kind != access.Cell || w.later || w.Var == f.entry.Var || !w.Var.Obj.IsField() || w.place.Root != f.entry.place.Root ||
			!f.decided(f.trail.tests, w.block) || !f.leadsTo(w, end.occurrence) {
			return false
		}
		if !slices.ContainsFunc(locksOf(w.held), func(l accesses.Place) bool { return w.held[l] == locks.Exclusive && end.held.Holds(l) }) || !f.oneHold(w, end.occurrence) {
			return false
		}
		values := stored(w.source())
		if len(values) != 1 || f.pkg.Info.Types[values[0]].IsNil() || !f.keepsState(w.Var.Obj.Type(), 0) {
			return false
		}
		return !slices.ContainsFunc(f.order, func(look *occurrence) bool {
			return look.Mode == atomicity.Read && look.Var == w.Var && f.leadsTo(look, w) // it is ended, or asked for, first
		})
	})
}
