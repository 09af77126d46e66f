package section

import (
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
)

// unsetWith says whether what the end stores is computed, without the lock, from another
// variable that was read with the entry, and another function sets that variable and unsets
// this one in one critical section: d.text, d.sum = text, nil. What was computed of the old
// one is stored after it, and stays.
func (f *finding) unsetWith(end *hit) bool {
	if end.via != nil || end.Mode != atomicity.Write {
		return false
	}
	for _, v := range stored(end.Access) {
		for a := range f.values.of(v) {
			from := f.occ[a]
			if from == nil || from.via != nil || from.Var == f.entry.Var || !from.Var.Obj.IsField() || from.place.Root != f.entry.place.Root ||
				!from.held.Any() || !f.oneHold(f.entry, from) && !f.oneHold(from, f.entry) {
				continue
			}
			if f.changedTogether(from, end) {
				return true
			}
		}
	}
	return false
}

// changedTogether says whether another function writes the variable of from, and unsets
// that of the end in the same hold of a lock.
func (f *finding) changedTogether(from *occurrence, end *hit) bool {
	current := f.bodyState
	defer func() { f.bodyState = current }()
	return slices.ContainsFunc(f.pkg.Bodies, func(b *accesses.Body) bool {
		if b.Outermost() == current.body.Outermost() || f.shared.Constructing(b) {
			return false
		}
		f.bodyState = f.states[b]
		for _, w := range f.order {
			if w.Mode != atomicity.Write || w.Var != from.Var || !w.held.Excludes() || f.reachOf(w) == shared.Private {
				continue
			}
			for _, u := range f.order {
				values := stored(u.Access)
				if u.Mode == atomicity.Write && u.Var == end.Var && u.via == nil && len(values) == 1 && f.unsets(values[0]) && u.place.Root == w.place.Root &&
					(f.oneHold(w, u) || f.oneHold(u, w)) {
					return true
				}
			}
		}
		return false
	})
}
