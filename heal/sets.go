//go:build !atomrace_off

package heal

import "unsafe"

// A set of variables is a Variable of its own. Its instance is the struct whose fields
// the members are, by its address; of package-level variables there is one instance,
// for which heal's own record of their guard stands. An access to a member is an access
// to each of its sets, in a window around its own: what Figure 3 says of a variable it
// says of the set, and a foreign access to any member breaks a section over it.
//
// Healing locks of a set, its members and the sets that it overlaps are one lock, their
// guard, on that instance: whoever is in a section over one of them and accesses
// another has it already, and no two of them can be taken in two orders.

// lockOf returns the instance of the healing lock for on: its own, or its guard's.
//
//go:norace
func lockOf(on *instance) instance {
	v := on.v
	if v.guard == nil {
		return *on
	}
	if v.of.Global {
		return instance{v: v.guard, addr: uintptr(unsafe.Pointer(v.guard))}
	}
	return instance{v: v.guard, addr: on.addr - v.of.Offset}
}

// base is where the set is whose member, or which itself, is at p.
//
//go:norace
func (v *Variable) base(p unsafe.Pointer) unsafe.Pointer {
	if v.Global {
		return unsafe.Pointer(v.info().guard)
	}
	return unsafe.Add(p, -int(v.Offset))
}

// enterSets does for the sets of l what comes first before an access to a member at p:
// the healing.
//
//go:norace
func (f *Frame) enterSets(l *Location, p unsafe.Pointer, strict bool) {
	c := settings()
	base := l.Var.base(p)
	for _, x := range l.sets() {
		x.prepare(c)
		in := instance{v: x.Var.info(), addr: uintptr(base)}
		f.win = access{active: true, strict: strict, addr: in.addr, at: hidden(p)}
		if policy := c.policyOf(in.v); policy > PolicyOff {
			f.protect(c, x, &in, policy)
		}
		f.outer = append(f.outer, f.win)
	}
}

// observeSets does the last before it: Figure 3.
//
//go:norace
func (f *Frame) observeSets(c *config, l *Location, p unsafe.Pointer, strict bool) {
	own := f.win
	base := l.Var.base(p)
	for i, x := range l.sets() {
		f.win = f.outer[i]
		f.observe(c, x, &instance{v: x.Var.info(), addr: f.win.addr}, base, strict)
		f.outer[i] = f.win
	}
	f.win = own
}

// exitSets does what comes after the access, the last set first.
//
//go:norace
func (f *Frame) exitSets(l *Location, mode Mode) {
	for i := len(l.sets()) - 1; i >= 0; i-- {
		x := l.sets()[i]
		f.win, f.outer[i] = f.outer[i], access{}
		f.outer = f.outer[:i]
		f.exit(x, mode, &instance{v: x.Var.info(), addr: f.win.addr})
	}
}

// HoldSet is Hold for a set, of whose member of p is the address.
func (f *Frame) HoldSet(set, of *Variable, p unsafe.Pointer, site int) {
	if p == nil || onOwnStack(p) {
		return
	}
	f.Hold(set, of.base(p), site)
}
