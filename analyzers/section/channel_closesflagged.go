package section

import (
	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
)

// closesFlagged says whether a method by which anybody ends an object of a type for others looks at a plain flag of the object,
// sets it, and closes a channel of the object, with no lock held, where goroutines of the package, or other
// exported methods, wait for that channel or send on it:
//
//	if s.closed {
//		return nil
//	}
//	s.closed = true
//	close(s.closing) // elsewhere: case <-s.closing:
//
// That there is a flag says that it is called more than once; who waits for the channel uses the object
// in a goroutine of his own.
func (f *finding) closesFlagged(end *hit) bool {
	if !f.endingMethod() || !f.endsForOthers(f.body.Func) || f.entry.via != nil || end.via != nil || len(f.entry.held)+len(end.held) > 0 ||
		!isFlag(f.entry.Var) || !end.sameInstance(f.entry) || !f.claims(end) || f.recovers() || !f.saysNothing(f.body.Func) {
		return false
	}
	found := false
	f.belowBranch(end, func(ev accesses.Event) bool {
		if ch := f.closeOf(ev.Node); ch != nil && !f.madeSince(ch) {
			o := f.occurrenceOf(ch)
			found = o != nil && o.place.Valid() && o.place.Root == f.entry.place.Root && o.Var.Obj.IsField() && (f.awaitedByGoroutine(o.Var) || f.usedBesides(o))
		}
		return found
	})
	return found
}

// usedBesides says whether an exported method of the type, which does not set it going and is not one by which it ends, waits for the
// channel of the receiver, or sends on it.
func (s *search) usedBesides(ch *occurrence) bool {
	for _, b := range s.pkg.Bodies {
		fn := b.Outermost().Func
		if fn == nil || !fn.Exported() || fn == s.body.Func || endings.MatchString(fn.Name()) || s.shared.SetsGoing(b.Outermost()) || s.shared.Constructing(b.Outermost()) {
			continue
		}
		for _, r := range s.states[b].order {
			if r.Var == ch.Var && r.Mode == atomicity.Read && r.via == nil && len(r.held) == 0 {
				return true
			}
		}
	}
	return false
}
