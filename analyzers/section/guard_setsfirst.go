package section

import (
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// setsFirst says whether the write is one by an exported method that sets the object going, as
// Start does, with no lock held and whatever is there: what it stores is the first value, before
// others have the object, and says nothing about what they hold.
func (s *search) setsFirst(w *occurrence) bool {
	fn := s.body.Func
	return fn != nil && fn.Exported() && fn.Signature().Recv() != nil && s.shared.SetsGoing(s.body) && len(w.held) == 0 &&
		w.Kind == access.Cell && w.Update == nil && !s.testedBefore(w)
}

// firstSet says whether there is such a write to the variable.
func (s *search) firstSet(v access.Var) bool {
	return slices.ContainsFunc(s.ownAccesses(v), func(k placed) bool {
		found := false
		if k.Mode == atomicity.Write {
			s.inState(k.body, func() { found = s.setsFirst(k.occurrence) && s.reachOf(k.occurrence) != shared.Private })
		}
		return found
	})
}

// addedLocked says whether what adds to the list that o reads is an exported method that takes the
// lock for nothing else, and that sets nothing going, where the list is one of those who are called:
// only somebody who walks through it can be meant, and that is done while others are added.
//
//	func (b *Bus) AddFilter(f filter) { b.mu.Lock(); defer b.mu.Unlock(); b.filters = append(b.filters, f) }
func (s *search) addedLocked(o *occurrence, class string) bool {
	list, ok := o.Var.Obj.Type().Underlying().(*types.Slice)
	if !ok || isError(list.Elem()) {
		return false
	}
	switch list.Elem().Underlying().(type) {
	case *types.Signature, *types.Interface:
	default:
		return false // what was collected may be read when all has been
	}
	found := false
	for _, k := range s.ownAccesses(o.Var) {
		if k.Mode != atomicity.Write || k.body == s.body {
			continue
		}
		adds := false
		s.inState(k.body, func() {
			fn := k.body.Func
			adds = fn != nil && fn.Exported() && fn.Signature().Recv() != nil && !s.shared.SetsGoing(k.body) && !s.builds() &&
				appends(s.pkg.Info, k.occurrence) && k.lockOf(class).Valid() && s.heldForAlone(k.occurrence, class)
		})
		if !adds {
			return false
		}
		found = true
	}
	return found
}

// heldForAlone says whether the body accesses, with a lock of the class held, no field but that of w.
func (s *search) heldForAlone(w *occurrence, class string) bool {
	return !slices.ContainsFunc(s.order, func(k *occurrence) bool {
		return k.Var.Obj != w.Var.Obj && k.Var.Obj.IsField() && k.lockOf(class).Valid() && k.place.Root == w.place.Root
	})
}
