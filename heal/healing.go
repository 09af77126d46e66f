//go:build !atomrace_off

package heal

import (
	"sync"
	"unsafe"
)

// protect heals the access at l: it takes the healing lock or claims the
// instance, as the policy has it; both, if some sections of the variable are
// healed by the one and some by the other.
//
//go:norace
func (f *Frame) protect(c *config, l *Location, in *instance, p Policy) {
	on := lockInstance(in)
	if p == PolicyYield || in.v.mixed {
		if f.win.yields = f.inVain(&on); !f.win.yields {
			f.win.claim, f.win.yields = claim(c, &on, f.g, true)
		}
	}
	if p != PolicyLock {
		return
	}
	f.win.asked = true
	wait := c.wait
	if f.inVain(&on) {
		wait = 0
	}
	var no fallback
	lock := lockOf(&on)
	if f.win.lock, no = acquire(&lock, f.g, wait); no.why != granted {
		no.report(c, l.Var, l, &on)
	}
}

// inVain reports whether this activation waited for the healing lock of in
// ahead of the program's own lock, and did not get it, or did not ask for it
// because in was not healed yet. It then holds the program's lock without: to wait
// for the healing lock now, in the wrong order, would stop its owner, who is about
// to take the program's lock, and everybody behind it, over and over again.
//
//go:norace
func (f *Frame) inVain(in *instance) bool {
	if f.hasSkipped(in.v) {
		return true
	}
	for i := range f.holds {
		if h := &f.holds[i]; h.missed && h.in.is(in) {
			return true
		}
	}
	return false
}

// skipped are the Holds that had nothing to do when their critical sections
// began: a bit for each site, sixteen of them apart, and the variable of the last.
type skipped struct {
	sites    uint16
	variable uint32
}

// hasSkipped reports whether the activation is in a critical section that began without
// a Hold of v, as far as is known: of several only the last one is.
//
//go:norace
func (f *Frame) hasSkipped(v *variable) bool {
	return f.sites != 0 && (f.variable == v.number || f.sites&(f.sites-1) != 0)
}

// pass notes that a critical section begins without a Hold.
//
//go:norace
func (f *Frame) pass(v *variable, site int) {
	f.sites |= 1 << (site & 15)
	f.variable = v.number
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
// program's own lock.
type hold struct {
	site   int
	in     instance
	lock   *healingLock
	claim  *cell
	missed bool // the lock was waited for in vain
	keep   unsafe.Pointer
}

// Hold prepares a critical section of the program's own lock which touches
// the instance of v at p: it is called before that lock is taken, so that the
// order is always healing lock first. Under PolicyLock it takes the healing
// lock, waiting for at most ATOMRACE's wait; under PolicyYield it lets foreign
// sections finish and claims the instance until Release, so that nobody has to
// wait inside; else it does nothing. site tells the Holds of one function apart. For the elements of a map, p is MapAt of the map.
func (f *Frame) Hold(v *Variable, p unsafe.Pointer, site int) {
	if f.holdFast(v, p, site) {
		return
	}
	c := settings()
	if c.off || p == nil || onOwnStack(p) {
		return
	}
	f.relock(c)
	k := v.info()
	k.prepareHold(c, v)
	if c.policyOf(k) > PolicyOff {
		f.hold(c, v, instance{v: k, addr: uintptr(p)}, hidden(p), site)
	} else {
		f.pass(k, site)
	}
}

// HoldKey is Hold for the entry k of a sync.Map.
func (f *Frame) HoldKey(v *Variable, m *sync.Map, k any, site int) {
	c := settings()
	if c.off || m == nil || onOwnStack(unsafe.Pointer(m)) {
		return
	}
	f.relock(c)
	i := v.info()
	if c.policyOf(i) == PolicyOff {
		f.pass(i, site)
	} else if usable(k) {
		f.hold(c, v, instance{v: i, addr: uintptr(unsafe.Pointer(m)), keyed: true, perKey: true, key: k}, hidden(unsafe.Pointer(m)), site)
	}
}

//go:norace
func (f *Frame) hold(c *config, v *Variable, in instance, keep unsafe.Pointer, site int) {
	if f.holdsFast(keep, site) {
		return
	}
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
	p := c.policyOf(in.v)
	if p == PolicyYield || in.v.mixed {
		h.claim, _ = claim(c, &in, f.g, false)
		h.missed = h.claim == nil
	}
	if p == PolicyLock {
		var no fallback
		lock := lockOf(&in)
		if h.lock, no = acquire(&lock, f.g, c.wait); no.why != granted {
			h.missed = true
			no.report(c, v, nil, &in)
		}
	}
	f.holds = append(f.holds, h)
}

// Release ends the Hold of the site, if there is one.
//
//go:norace
func (f *Frame) Release(site int) {
	f.sites &^= 1 << (site & 15)
	if f.isFast() && f.releaseFast(site) || f.activation == nil {
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
	if h.lock != nil {
		h.lock.release(g)
	}
	if h.claim != nil {
		h.claim.unclaim()
	}
}
