package section

import (
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/atomicity"
)

// closedUnder says whether a lock is held from the look e at a flag to the event, a send on ch, that
// all who close the channel hold for writing, after they have set the flag: they wait for the send,
// and who comes after them finds it set.
//
//	if x.closed.CompareAndSwap(false, true) {
//		time.AfterFunc(pause, func() {
//			x.mu.Lock()
//			defer x.mu.Unlock()
//			close(x.out) // elsewhere, under x.mu.RLock: if !x.closed.Load() { x.out <- v }
//		})
//	}
func (s *search) closedUnder(ch, e *occurrence, block, index int) bool {
	if e.via != nil || !e.held.Any() {
		return false
	}
	held, known := locks.Set(nil), false
	s.onward(e, func(b, i int, _ accesses.Event, kept locks.Set) bool {
		if b != block || i != index {
			return false
		}
		if !known {
			held, known = kept, true
		}
		held = inBoth(held, kept)
		return true
	})
	closed := false
	for _, b := range s.pkg.Bodies {
		under := true
		s.inState(b, func() {
			for _, c := range s.closeCalls() {
				if c.channel.Var == ch.Var {
					closed = true
					under = under && s.setsBefore(c, e) && slices.ContainsFunc(locksOf(held), func(l accesses.Place) bool {
						return held[l] > locks.Possible && l.Root == e.place.Root && slices.ContainsFunc(locksOf(c.held), func(k accesses.Place) bool {
							return c.held[k] == locks.Exclusive && k.Root == c.channel.place.Root && locks.ClassOf(k) == locks.ClassOf(l)
						})
					})
				}
			}
			for _, c := range s.deferredCloses() {
				under = under && c.channel.Var != ch.Var
			}
		})
		if !under {
			return false
		}
	}
	return closed
}

// inBoth are the locks of the one set that are in the other as well.
func inBoth(a, b locks.Set) locks.Set {
	set := locks.Set{}
	for l, m := range a {
		if n, ok := b[l]; ok {
			set[l] = min(m, n)
		}
	}
	return set
}

// setsBefore says whether control comes to c only after the body, or one that it is a literal of, has
// set the flag that e looks at.
func (s *search) setsBefore(c closeCall, e *occurrence) bool {
	sets := func(w *occurrence) bool { return w.Mode == atomicity.Write && w.Var == e.Var && w.via == nil }
	for _, w := range s.order {
		if sets(w) && w.place.Root == c.channel.place.Root && w.block != c.block && always(s.body, w.block, w.index, c.block, 0) {
			return true
		}
		if sets(w) && w.block == c.block && w.Pos() < c.call.Pos() {
			return true
		}
	}
	for b := s.body; b.Parent != nil; b = b.Parent {
		at := b.Node
		found := false
		s.inState(b.Parent, func() {
			for block, events := range s.body.Events {
				for index, ev := range events {
					if ev.Node == nil || ev.Node.Pos() > at.Pos() || at.End() > ev.Node.End() {
						continue
					}
					found = found || slices.ContainsFunc(s.order, func(w *occurrence) bool {
						return sets(w) && w.place.Root == c.channel.place.Root && always(s.body, w.block, w.index, block, index)
					})
				}
			}
		})
		if found {
			return true
		}
	}
	return false
}
