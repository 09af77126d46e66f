package section

import (
	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// settlesBeside says whether the critical section of the end looks at another field of the
// object, which it settles itself: it goes on only where that is unset, and sets it before the
// lock is released, or fails. Nobody unsets it, and whoever else writes the variable does so
// once it is set. Of those who come to the end one alone has passed the look, and what it has
// seen of the variable before is true still.
//
//	n := x.size                          // under x.mu, which is released
//	x.mu.Lock()
//	defer x.mu.Unlock()
//	if x.conn != nil { return errTwice }
//	x.size = larger(n)
//	x.conn = conn
func (f *finding) settlesBeside(end *hit) bool {
	if !f.storesInHold(end) {
		return false
	}
	for _, found := range f.statesAt(end.occurrence) {
		if found.at.Mode != atomicity.Read || !found.unset() || found.at.Kind != access.Cell || found.at.Var.Obj.Exported() || f.oneHold(f.entry, end.occurrence) || !f.oneHold(found.at, end.occurrence) {
			continue
		}
		class := lockOfBoth(end.occurrence, found.at)
		settled := func(mark *occurrence) bool {
			state, known := f.broughtTo(mark)
			return known && state.excludes(found)
		}
		if class != "" && f.settledInHold(end, found.at, settled) && f.leftForGood(found) && f.othersComeLater(end, found, class) {
			return true
		}
	}
	return false
}

// storesInHold says whether the end is a store of the body's own into a field, with a lock held.
func (f *finding) storesInHold(end *hit) bool {
	return end.Mode == atomicity.Write && end.Kind == access.Cell && end.via == nil && end.held.Excludes() && end.Var.Obj.IsField() && !end.Var.Contents
}

// settledInHold says whether, wherever control goes from the end, the variable of the look is
// set as wanted before the lock is released, or has been in the same hold before; or the body
// returns an error.
func (f *finding) settledInHold(end *hit, look *occurrence, wanted func(mark *occurrence) bool) bool {
	isMark := func(o *occurrence) bool {
		return o != nil && o.Mode == atomicity.Write && o.via == nil && o.sameInstance(look) && wanted(o)
	}
	for _, o := range f.order {
		if isMark(o) && f.alwaysComesFrom(o, end.occurrence) && f.oneHold(o, end.occurrence) && f.leadsTo(look, o) {
			return true
		}
	}
	all, some := true, false
	f.onward(end.occurrence, func(block, index int, ev accesses.Event, kept locks.Set) bool {
		switch {
		case ev.Kind == accesses.OnAccess && isMark(f.occ[ev.Access]) && protects(kept, true):
			some = true
			return true
		case ev.Kind == accesses.OnReturn && f.failsThere(ev, block, index):
			return true
		case ev.Kind == accesses.OnReturn, !protects(kept, true):
			all = false
			return true
		}
		return false
	})
	return all && some
}

// othersComeLater says whether all other writes of the end's variable, but those of constructors,
// are made where some state implies, under a lock of the class, that the one found is left.
func (f *finding) othersComeLater(end *hit, found stateSeen, class string) bool {
	current := f.bodyState
	defer func() { f.bodyState = current }()
	for _, b := range f.pkg.Bodies {
		if f.bodyState = f.states[b]; f.shared.Constructing(b) {
			continue
		}
		for _, w := range f.order {
			if w.Var != end.Var || w.Mode != atomicity.Write || w.via != nil || w.Access == end.Access || f.reachOf(w) == shared.Private {
				continue
			}
			if at := w.lockOf(class); !at.Valid() || w.held[at] != locks.Exclusive || !f.broughtAbout(w, found, class, 0) {
				return false
			}
		}
	}
	return true
}
