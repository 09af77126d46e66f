//go:build !atomrace_off

package heal

import "unsafe"

// observe is the beforeAccess of papers/001 Figure 3 for the access of l to
// in: it opens the sections that l enters, and makes the access a suspect in
// the cells of the other goroutines that are inside. With strict the access is
// a call that may order goroutines itself (an atomic operation, a sync.Map):
// then only what lies wholly inside counts, and intrude comes after it.
//
//go:norace
func (f *Frame) observe(c *config, l *Location, in *instance, p unsafe.Pointer, strict bool) {
	b, gd := place(in.addr)
	// A first glance; who comes at the same time is ordered with nobody
	if len(l.entries()) == 0 && !b.inUse() {
		return
	}
	gd.lock(b, in)
	if f.win.lock == nil && !f.win.asked && b.protected(in, f.g) {
		gd.unlock(b)
		f.catchUp(l, in, p, strict)
		return
	}
	if f.count != 0 && f.quickIn(b) {
		f.adopt(b, gd)
	}
	monitored := len(l.entries()) == 0 || f.enterIn(c, b, gd, l, in, p)
	at := gd.stamp()
	x := foreign{by: f.g, location: l, mode: l.Mode, from: at, to: at, yielded: f.win.yields, early: f.hasSkipped(in.v)}
	met, known := !l.Call && b.concerned(in, &x), true
	if met && !strict {
		known = b.accuse(in, &x, c.history, false)
	}
	gd.unlock(b)
	f.win.from, f.win.met = at, met
	if met && strict || len(l.endings()) > 0 {
		f.win.change.before = l.valueAt(f.win.at)
	}
	if !monitored {
		f.unmonitored(c, l, p)
	}
	if !known {
		f.intrude(c, l, in, l.Mode, p)
	}
}

// protected reports whether another goroutine than g holds the healing lock of in for a
// section. The guard must be held.
//
//go:norace
func (b *bucket) protected(in *instance, g G) bool {
	if b.locks() == nil {
		return false
	}
	on := lockInstance(in)
	h := b.lock(&on)
	return h != nil && h.owner != 0 && h.owner != g && h.section != nil
}

// catchUp heals an access that was not to be healed when it began, and finds itself in
// a section that is: somebody has been quicker to learn that there is a policy now.
// A second time it goes on.
//
//go:norace
func (f *Frame) catchUp(l *Location, in *instance, p unsafe.Pointer, strict bool) {
	c := settings()
	f.win.asked = true
	if c.policyOf(in.v) == PolicyLock {
		f.free(&f.win)
		f.win.claim = nil
		f.protect(c, l, in, PolicyLock)
	}
	f.observe(c, l, in, p, strict)
}

// enterIn opens the sections that l enters in f's cell of in, and reports
// whether there is room for it. The guard is held.
//
//go:norace
func (f *Frame) enterIn(c *config, b *bucket, gd *guard, l *Location, in *instance, p unsafe.Pointer) bool {
	mine := b.of(in, f.g)
	if (mine == nil || len(mine.opens) == 0 && mine.revealed == 0 && mine.fast == 0) && b.full(in) {
		return false
	}
	if mine == nil {
		mine = b.add(gd, in, f.g)
	}
	f.begin(c, gd, mine, l, p)
	return true
}

// begin opens the sections that l enters. The guard is held, f's goroutine
// owns at.
//
//go:norace
func (f *Frame) begin(c *config, gd *guard, at *cell, l *Location, p unsafe.Pointer) {
	if len(at.opens) == 0 && at.claims == 0 {
		at.since = gd.stamp()
	}
	for _, s := range l.entries() {
		i := at.index(s)
		if i < 0 {
			o := at.open(s, l, gd.stamp())
			o.lock = f.keepLock(c, s)
			o.healed = o.lock != nil || c.policy(s) == PolicyYield
			f.push(record{section: s, cell: at, addr: at.inst.addr, id: o.id, entry: l, keep: hidden(p)})
			continue
		}
		o := &at.opens[i]
		switch {
		case l.ends(s) != nil:
			o.again, o.turns[1] = gd.stamp(), s.turn() // this round ends here, the next one begins
		case f.opened(at, s, o.id) < 0:
			o.count++ // another activation: recursion
			f.push(record{section: s, cell: at, addr: at.inst.addr, id: o.id, entry: l, keep: hidden(p)})
		case o.count == 1:
			// The same activation came back without an end: a loop. The
			// window begins anew, or it would span what nobody meant.
			o.start, o.entry, o.turns[0], o.fresh = gd.stamp(), l, s.turn(), true
			if o.lock == nil {
				o.lock = f.keepLock(c, s)
				o.healed = o.healed || o.lock != nil
			}
		}
	}
}

// keepLock makes section s a holder of the healing lock that was taken for
// the access, if there is one and the section's policy wants it.
//
//go:norace
func (f *Frame) keepLock(c *config, s *Section) *healingLock {
	if f.win.lock == nil || c.policy(s) != PolicyLock {
		return nil
	}
	f.win.lock.again()
	f.win.lock.section = s
	return f.win.lock
}

// unmonitored enters l's sections while too many others are monitored: no
// verdict is passed on them, but the healing lock protects them all the same.
//
//go:norace
func (f *Frame) unmonitored(c *config, l *Location, p unsafe.Pointer) {
	for _, s := range l.entries() {
		if f.unmonitoredRecord(s, f.win.lock) >= 0 {
			continue
		}
		if lock := f.keepLock(c, s); lock != nil {
			f.push(record{section: s, lock: lock, entry: l, keep: hidden(p)})
		}
	}
}

// unmonitoredRecord returns the record of an unmonitored section s that holds
// lock, or -1.
//
//go:norace
func (f *Frame) unmonitoredRecord(s *Section, lock *healingLock) int {
	for i := f.n - 1; i >= 0; i-- {
		if r := f.record(i); r.section == s && r.cell == nil && r.lock == lock {
			return i
		}
	}
	return -1
}

// intrude adds the access at l to the suspects of all others that are inside.
// A strict one happened between the tick before it and now, any other happens
// directly after, if it need not catch up. The stack is captured without the guard.
//
//go:norace
func (f *Frame) intrude(c *config, l *Location, in *instance, mode Mode, p unsafe.Pointer) {
	x := foreign{by: f.g, location: l, mode: mode, from: f.win.from, yielded: f.win.yields, early: f.hasSkipped(in.v)}
	b, gd := place(in.addr)
	if f.win.strict {
		x.change = f.win.change
		gd.lock(b, in)
		x.to = gd.stamp()
		known := b.accuse(in, &x, c.history, false)
		gd.unlock(b)
		if known {
			return
		}
	}
	x.goroutine, x.stack, x.created = goroutineID(), callers(), creationAt(l)
	if !f.win.strict {
		x.change.before = l.valueAt(f.win.at)
	}
	gd.lock(b, in)
	if !f.win.strict {
		if f.win.lock == nil && !f.win.asked && b.protected(in, f.g) {
			gd.unlock(b) // somebody has entered meanwhile
			f.catchUp(l, in, p, false)
			return
		}
		x.from = gd.stamp()
		x.to = x.from
		f.win.from, f.win.added = x.from, true
	}
	b.accuse(in, &x, c.history, true)
	gd.unlock(b)
}

// leaves completes what the cells know of the access at l, which is over.
//
//go:norace
func (f *Frame) leaves(l *Location, in *instance) {
	b, gd := place(in.addr)
	gd.lock(b, nil)
	b.left(f.g, l, f.win.from, f.win.change.after)
	gd.unlock(b)
}
