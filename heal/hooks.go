//go:build !atomrace_off

package heal

import "unsafe"

// Load is an instrumented read: beforeAccess(v, l), the read, afterAccess(v, l).
// A nil p panics as the program's own read would.
func Load[T any](f *Frame, l *Location, p *T) T {
	f.Before(l, unsafe.Pointer(p), unsafe.Sizeof(*p))
	if l.Race {
		Look(l, unsafe.Pointer(p), unsafe.Sizeof(*p))
	}
	v := *p
	if len(l.endings()) > 0 || f.pending() {
		f.After(l, unsafe.Pointer(p))
	}
	return v
}

// Before is beforeAccess(v, l) for the size bytes at p; the access and After
// follow directly, and nothing in between may call, block or panic, but that
// a write which takes part in the race detection stands between Look and Mark,
// and Clear. Accesses to the goroutine's own stack are not watched, for nobody
// else can make them.
//
//go:norace
func (f *Frame) Before(l *Location, p unsafe.Pointer, size uintptr) {
	//atomrace:ignore mixed-atomic-plain an old value misses an access at most
	if l.quick == generation && f.passes(l, p) {
		return // by itself: what is not healed pays nothing for healing
	}
	if !f.fastly(l, p) && f.ready(l, p) {
		f.before(l, p, size, false)
	}
}

// ready reports whether there is anything to do around an access at all.
//
//go:norace
func (f *Frame) ready(l *Location, p unsafe.Pointer) bool {
	if f.pending() {
		f.abandon()
	}
	c := settings()
	if p == nil || c.off || onOwnStack(p) {
		return false
	}
	l.prepare(c)
	if l.Race || len(l.entries()) > 0 || len(l.sets()) > 0 || c.noise.perMille > 0 || c.policyOf(l.Var.info()) > PolicyOff {
		return true
	}
	b, _ := place(uintptr(p))
	return b.inUse()
}

//go:norace
func (f *Frame) before(l *Location, p unsafe.Pointer, size uintptr, strict bool) {
	f.enter(settings(), l, p, size, &instance{v: l.Var.info(), addr: uintptr(p)}, strict, false)
}

// enter does all that comes before an access: healing, the race mark,
// noise, and Figure 3, in this order. The noise thus falls into the race window,
// and the observation stands as close to the access as can be.
//
//go:norace
func (f *Frame) enter(c *config, l *Location, p unsafe.Pointer, size uintptr, in *instance, strict, racing bool) {
	f.expand()
	if len(l.sets()) > 0 {
		f.enterSets(l, p, strict)
	}
	f.win = access{active: true, strict: strict, addr: in.addr}
	if !in.keyed {
		f.win.at = hidden(p)
	}
	policy := c.policyOf(in.v)
	if policy > PolicyOff {
		f.protect(c, l, in, policy)
	}
	noisy := c.noise.perMille > 0
	if racing {
		f.win.mark = touch(l, p, size, noisy)
	}
	switch {
	case noisy && l.Full && l.Race && !racing:
		c.stretch(l, p, size)
	case noisy:
		c.delay(l, ahead)
	}
	if noisy {
		// PolicyAuto may have come to something in the meantime.
		if now := settings().policyOf(in.v); now > policy {
			f.free(&f.win)
			f.win.lock, f.win.claim = nil, nil
			f.protect(settings(), l, in, now)
		}
	}
	if len(l.sets()) > 0 {
		f.observeSets(c, l, p, strict)
	}
	f.observe(c, l, in, p, strict)
}

// After is afterAccess(v, l).
//
//go:norace
func (f *Frame) After(l *Location, p unsafe.Pointer) {
	switch {
	case f.pending():
		f.after(l, l.Mode, p)
	case len(l.endings()) > 0:
		switch {
		case f.count > 0:
			f.finishQuickly(l, p)
		case f.isFastAt(p):
			f.endFast(l, p)
			return
		case f.count != 0:
			f.finishQuickly(l, p)
		}
		//atomrace:ignore mixed-atomic-plain an old value misses an access at most
		if len(l.entries()) > 0 && l.quick == generation {
			f.enters(l, p)
		}
	}
}

//go:norace
func (f *Frame) after(l *Location, mode Mode, p unsafe.Pointer) {
	if f.win.at == nil && p != nil {
		f.win.at = hidden(p) // nobody was near when the access began
	}
	f.exit(l, mode, &instance{v: l.Var.info(), addr: f.win.addr})
}

// exit does all that comes after an access. The race mark goes first, for with
// the section's end others may come; what was taken is given back after that;
// the reports come last.
//
//go:norace
func (f *Frame) exit(l *Location, mode Mode, in *instance) {
	c := settings()
	f.win.change.after = l.valueAt(f.win.at)
	f.win.mark.clear()
	f.win.mark = Marked{}
	if f.win.strict && f.win.met {
		f.intrude(c, l, in, mode, nil)
	} else if f.win.added {
		f.leaves(l, in)
	}
	var room [4]*healingLock
	locks, found := room[:0], []verdict(nil)
	if len(l.endings()) > 0 || len(l.entries()) > 0 {
		locks, found = f.settle(l, in, locks, found)
		f.settleUnmonitored(l)
	}
	w := f.win
	f.win = access{}
	for i := range found {
		found[i].change = w.change
	}
	for _, h := range locks {
		h.release(f.g)
	}
	f.free(&w)
	if len(f.outer) > 0 && len(l.sets()) > 0 {
		f.exitSets(l, mode)
	}
	for i := range found {
		reportViolation(c, &found[i])
	}
	if c.noise.perMille > 0 && len(l.entries()) > 0 {
		c.delay(l, inside)
	}
	f.shrink()
}

// settleUnmonitored ends the sections at l which no verdict is passed on.
//
//go:norace
func (f *Frame) settleUnmonitored(l *Location) {
	if f.win.lock == nil {
		return
	}
	ends := l.endings()
	for i := range ends {
		if r := f.unmonitoredRecord(ends[i].Section, f.win.lock); r >= 0 {
			gone := f.take(r)
			f.leave(&gone)
		}
	}
}

// reach is Reach when somebody may be near. What the caller has open is in its
// own Frame; who it is, is all that counts here.
//
//go:noinline
func reach[T any](l *Location, p *T) *T {
	f := Begin()
	defer f.End()
	v := Load(&f, l, p)
	return &v
}

// touch is Touch when somebody may be near.
//
//go:norace
//go:noinline
func (f *Frame) touch(l *Location, p unsafe.Pointer, size uintptr) bool {
	f.Before(l, p, size)
	return f.pending()
}
