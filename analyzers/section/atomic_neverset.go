package section

import (
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// neverSet says whether the entry looks at an atomic flag that nobody sets, while the end takes it back:
//
//	if atomic.LoadInt32(&w.running) != 0 { return }
//	defer atomic.StoreInt32(&w.running, 0)
//
// Its author meant to let one in at a time, whoever owns the object, and lets in all: the CompareAndSwap
// is missing that sets it.
func (f *finding) neverSet(end *hit) bool {
	v := f.entry.Var.Obj
	if f.entry.Kind != access.Atomic || f.entry.Mode != atomicity.Read || end.Kind != access.Atomic || v.Exported() || !v.IsField() && !accesses.IsGlobal(v) {
		return false
	}
	if !slices.ContainsFunc(f.trail.tests, func(test int) bool { return f.passesUnset(test, end) }) {
		return false
	}
	back := false
	for _, b := range f.pkg.Bodies {
		for _, w := range f.states[b].order {
			if w.Var != f.entry.Var || w.Mode != atomicity.Write || w.via != nil {
				continue
			}
			values := stored(w.Access)
			if len(values) != 1 || adds(w.Access) || rmw(w.Access) || !f.zero(values[0]) {
				return false
			}
			back = back || b.Outermost() == f.body.Outermost()
		}
	}
	return back && !f.addressGiven(v)
}

// passesUnset says whether the test lets those through that find the flag unset, and turns the others
// back at once.
func (f *finding) passesUnset(test int, end *hit) bool {
	succs := f.body.CFG.Blocks[test].Succs
	if len(succs) != 2 || len(f.body.Conds[test]) != 1 {
		return false
	}
	unset := f.unsetEdge(f.body.Conds[test][0], f.entry.Access)
	if unset < 0 {
		return false
	}
	decides, edge := f.decides(test, end.block)
	return decides && edge == unset || !decides && succs[1-unset].Return() != nil && succs[unset].Return() == nil
}

// addressGiven says whether the package hands on the address of the variable, to be set elsewhere.
func (s *search) addressGiven(v *types.Var) bool {
	for _, list := range s.pointees() {
		for _, given := range list {
			if given.Obj == v {
				return true
			}
		}
	}
	return false
}
