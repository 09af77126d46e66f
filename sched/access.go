package sched

import "unsafe"

// Access is the scheduling point directly before the access of the size bytes at
// addr, a write or a read. Between its return and the access there must be no
// other operation. It does nothing outside of control.
func Access(loc *Location, addr unsafe.Pointer, size uintptr, write bool) {
	g := enter()
	if g == nil {
		return
	}
	e := g.engine
	op := Operation{Kind: Accessing, Object: addr, Size: size, Write: write, Location: loc}
	if e.isPoint(loc) {
		e.point(g, op)
	}
	if e.hybrid != nil {
		e.hybrid.access(g, &op)
	}
	if len(e.open) > 0 {
		e.observe(g, &op)
	}
	leave(g)
}

// isPoint asks the strategy once a run whether accesses at the location are points.
func (e *engine) isPoint(loc *Location) bool {
	if e.watches == nil {
		return !e.options.NoAccess || e.hybrid != nil
	}
	if loc.asked>>1 != e.serial {
		loc.asked = e.serial << 1
		if e.watches(loc) {
			loc.asked |= 1
		}
	}
	return loc.asked&1 != 0
}

// Atomic is the scheduling point before an operation on a value of sync/atomic or
// on a sync.Map; write says whether it may change the value.
func Atomic(addr unsafe.Pointer, write bool) {
	g := enter()
	if g == nil {
		return
	}
	g.engine.point(g, Operation{Kind: Atomically, Object: addr, Write: write})
	leave(g)
}
