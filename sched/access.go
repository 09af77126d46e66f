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
	op := Operation{Kind: Accessing, Object: addr, Size: size, Write: write, Location: loc}
	g.engine.access(g, &op)
	leave(g)
}

func (e *engine) access(g *Goroutine, op *Operation) {
	if e.isPoint(op.Location) {
		e.point(g, *op)
	}
	if e.hybrid != nil {
		e.hybrid.access(g, op)
	}
	e.visit(g, op)
}

// accessEntry is Access for the entry of a map. A key is boxed only where sections
// want to know it.
func accessEntry[K comparable](loc *Location, m unsafe.Pointer, key K, write bool) {
	g := enter()
	if g == nil {
		return
	}
	op := Operation{Kind: Accessing, Object: m, Size: 1, Write: write, Location: loc}
	if g.engine.sections || loc.isInSection() || len(g.calls) > 0 {
		op.Key = key
	}
	g.engine.access(g, &op)
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

// Atomic is the scheduling point before an operation on a value of sync/atomic;
// write says whether it may change the value.
func Atomic(loc *Location, addr unsafe.Pointer, write bool) {
	g := enter()
	if g == nil {
		return
	}
	g.engine.atomic(g, &Operation{Kind: Atomically, Object: addr, Size: 1, Write: write, Location: loc})
	leave(g)
}

func (e *engine) atomic(g *Goroutine, op *Operation) {
	e.point(g, *op)
	e.visit(g, op)
}
