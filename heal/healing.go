//go:build !atomrace_off

package heal

import (
	"sync"
	"unsafe"
)

// policy returns what holds for section s.
//
//go:norace
func (c *config) policy(s *Section) Policy {
	if s.Policy != PolicyInherit {
		return s.Policy
	}
	return c.heal
}

// policyOf returns what holds for single accesses and Holds of v.
//
//go:norace
func (c *config) policyOf(v *variable) Policy { return max(c.heal, v.policy) }

// protect heals the access at l: it takes the healing lock or claims the
// instance, as the policy has it.
//
//go:norace
func (f *Frame) protect(c *config, l *Location, in *instance, p Policy) {
	for _, s := range l.Entry {
		in.v.raise(s.Policy)
	}
	on := lockInstance(in)
	if p == PolicyYield {
		f.win.claim, f.win.yields = claim(c, &on, f.g, true)
		return
	}
	wait := c.wait
	if f.inVain(&on) {
		wait = 0
	}
	f.win.lock = acquire(&on, f.g, wait)
	if f.win.lock == nil {
		gaveUp(c, l.Var, l, &on)
	}
}

// inVain reports whether this activation waited for the healing lock of in
// ahead of the program's own lock, and did not get it. It then holds the
// program's lock without: to wait for the healing lock now, in the wrong order,
// would stop its owner, who is about to take the program's lock, and everybody
// behind it, over and over again.
//
//go:norace
func (f *Frame) inVain(in *instance) bool {
	for i := range f.holds {
		if h := &f.holds[i]; h.lock == nil && h.claim == nil && h.in.is(in) {
			return true
		}
	}
	return false
}

// lockInstance returns what the healing lock or claim for in is taken on: the entries
// of a built-in map share one lock, for the map is one thing to the program's
// own lock as well; a sync.Map has one for each key.
//
//go:norace
func lockInstance(in *instance) instance {
	if in.keyed && !in.perKey {
		return instance{v: in.v, addr: in.addr}
	}
	return *in
}

// hold is a healing lock or a claim that an activation took ahead of the
// program's own lock, or, with neither, waited for in vain.
type hold struct {
	site  int
	in    instance
	lock  *healingLock
	claim *cell
	keep  unsafe.Pointer
}

// Hold prepares a critical section of the program's own lock which touches
// the instance of v at p: it is called before that lock is taken, so that the
// order is always healing lock first. Under PolicyLock it takes the healing
// lock, waiting for at most ATOMRACE's wait; under PolicyYield it lets foreign
// sections finish and claims the instance until Release, so that nobody has to
// wait inside; else it does nothing. site tells the Holds of one function apart. For the elements of a map, p is MapAt of the map.
func (f *Frame) Hold(v *Variable, p unsafe.Pointer, site int) {
	c := settings()
	if c.off || p == nil || onOwnStack(p) {
		return
	}
	k := v.info()
	if c.policyOf(k) > PolicyOff {
		f.hold(c, v, instance{v: k, addr: uintptr(p)}, hidden(p), site)
	}
}

// HoldKey is Hold for the entry k of a sync.Map.
func (f *Frame) HoldKey(v *Variable, m *sync.Map, k any, site int) {
	c := settings()
	if c.off || m == nil || onOwnStack(unsafe.Pointer(m)) {
		return
	}
	i := v.info()
	if c.policyOf(i) > PolicyOff && usable(k) {
		f.hold(c, v, instance{v: i, addr: uintptr(unsafe.Pointer(m)), keyed: true, perKey: true, key: k}, hidden(unsafe.Pointer(m)), site)
	}
}

//go:norace
func (f *Frame) hold(c *config, v *Variable, in instance, keep unsafe.Pointer, site int) {
	f.expand()
	for i := range f.holds {
		if h := &f.holds[i]; h.site == site {
			if h.in.is(&in) {
				return
			}
			f.Release(site)
			break
		}
	}
	h := hold{site: site, in: in, keep: keep}
	if c.policyOf(in.v) == PolicyYield {
		h.claim, _ = claim(c, &in, f.g, false)
	} else if h.lock = acquire(&in, f.g, c.wait); h.lock == nil {
		gaveUp(c, v, nil, &in)
	}
	f.holds = append(f.holds, h)
}

// Release ends the Hold of the site, if there is one.
//
//go:norace
func (f *Frame) Release(site int) {
	if f.activation == nil {
		return
	}
	for i := range f.holds {
		if f.holds[i].site == site {
			h := f.holds[i]
			f.holds = append(f.holds[:i], f.holds[i+1:]...)
			h.let(f.g)
			return
		}
	}
}

//go:norace
func (h *hold) let(g G) {
	switch {
	case h.claim != nil:
		h.claim.unclaim()
	case h.lock != nil:
		h.lock.release(g)
	}
}
