package section

import (
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity/access"
)

// locksAsWell says whether the end counts, in an exported method that takes the lock of its
// object for something else: several goroutines call the method, or it would not.
func (f *finding) locksAsWell(c *Candidate, end *hit) bool {
	fn := f.body.Func
	if c.Category != "load-and-store" || fn == nil || !fn.Exported() || fn.Signature().Recv() == nil || f.reach < shared.Meant || end.via != nil || !f.isGrowth(end.occurrence) {
		return false
	}
	recv := types.Object(fn.Signature().Recv())
	if f.entry.place.Root != recv || f.readies() || f.entry.Kind != access.Cell {
		return false
	}
	after := false
	f.locks.Walk(f.body, func(block, index int, ev accesses.Event, _ locks.Set) {
		for _, op := range f.locks.Ops(ev) {
			at := &occurrence{Access: &access.Access{}, block: block, index: index}
			after = after || op.Kind == locks.Acquire && op.Lock.Root == recv && f.leadsTo(end.occurrence, at)
		}
	})
	return after
}

// lazily says whether the end makes what an exported method hands out and the entry has
// found missing, of an object that others access under its lock.
func (f *finding) lazily(c *Candidate, end *hit) bool {
	fn := f.body.Func
	if c.Category != "test-and-use" || fn == nil || !fn.Exported() || fn.Signature().Recv() == nil || f.reach < shared.Meant || fn.Signature().Results().Len() == 0 {
		return false
	}
	u := f.shared.Use(f.entry.Var)
	if u == nil || len(u.Locks) == 0 || f.entry.place.Root != types.Object(fn.Signature().Recv()) || f.readies() {
		return false
	}
	if _, ok := f.entry.Var.Obj.Type().Underlying().(*types.Pointer); !ok {
		return false
	}
	return f.comparedWithNil(f.entry)
}
