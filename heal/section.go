package heal

import "unsafe"

// observe is the beforeAccess of papers/001 Figure 3 for the access of l to
// in. With strict the access is a call that may order goroutines itself (an
// atomic operation, a sync.Map): then only what lies wholly inside counts.
// With patient it lets a foreign section finish first, as long as it may, and
// enters its own in the same breath, before the next one comes.
//
//go:norace
func (f *Frame) observe(c *config, l *Location, in *instance, p unsafe.Pointer, strict, patient bool) {
	if f.tryObserve(c, l, in, p, strict, patient) {
		return
	}
	counters.add(&counters.yields)
	wait := patience{bound: min(c.wait, c.backOff)}
	for wait.again() {
		if f.tryObserve(c, l, in, p, strict, true) {
			return
		}
	}
	f.win.yields = true
	f.tryObserve(c, l, in, p, strict, false)
}

// tryObserve does it, or with patient reports false when another goroutine is
// being monitored.
//
//go:norace
func (f *Frame) tryObserve(c *config, l *Location, in *instance, p unsafe.Pointer, strict, patient bool) bool {
	b, gd := place(in.addr)
	if len(l.Entry) == 0 && loadPointer(&b.cells) == nil {
		return true
	}
	quiet()
	gd.Lock()
	at := b.find(in)
	if at == nil && len(l.Entry) > 0 {
		at = b.add(gd, in, f.g)
	}
	foreign := at != nil && at.owner != f.g
	switch {
	case at == nil || foreign && patient:
	case !foreign:
		f.begin(c, at, l, p)
		if strict {
			f.win.end = at.stamp()
		}
	case strict:
		// Noted after the access, if the same owner is still there.
		f.win.cell, f.win.epoch, f.win.from = at, at.epoch, at.stamp()
	case !at.knows(f.g, l, l.Mode, at.tick+1, at.tick+1):
		f.win.cell, f.win.epoch = at, at.epoch
	default:
		at.stamp()
	}
	gd.Unlock()
	loud()
	if foreign && patient {
		return false
	}
	if foreign && len(l.Entry) > 0 {
		f.unmonitored(c, l, p)
	}
	if !strict && f.win.cell != nil {
		f.intrude(c, l, l.Mode)
	}
	return true
}

// begin opens the sections that l enters. The guard is held, f's goroutine
// owns at.
//
//go:norace
func (f *Frame) begin(c *config, at *cell, l *Location, p unsafe.Pointer) {
	for _, s := range l.Entry {
		i := at.index(s)
		if i < 0 {
			o := at.open(s, l)
			o.lock = f.keepLock(c, s)
			f.push(record{section: s, cell: at, addr: f.win.addr, epoch: at.epoch, id: o.id, keep: hidden(p)})
			continue
		}
		o := &at.opens[i]
		switch {
		case l.ends(s) != nil:
			o.again = at.stamp() // this round ends here, the next one begins
		case f.opened(at, s, o.id) < 0:
			o.count++ // another activation: recursion
			f.push(record{section: s, cell: at, addr: f.win.addr, epoch: at.epoch, id: o.id, keep: hidden(p)})
		case o.count == 1:
			// The same activation came back without an end: a loop. The
			// window begins anew, or it would span what nobody meant.
			o.start, o.entry = at.stamp(), l
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
	return f.win.lock
}

// unmonitored enters l's sections while another goroutine is monitored: no
// verdict is passed on them, but the healing lock protects them all the same.
//
//go:norace
func (f *Frame) unmonitored(c *config, l *Location, p unsafe.Pointer) {
	for _, s := range l.Entry {
		if f.unmonitoredRecord(s, f.win.lock) >= 0 {
			continue
		}
		if lock := f.keepLock(c, s); lock != nil {
			f.push(record{section: s, lock: lock, keep: hidden(p)})
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

// intrude adds the access at l to the suspects of f.win.cell, unless its
// owner has left since. The stack is captured without the guard.
//
//go:norace
func (f *Frame) intrude(c *config, l *Location, mode Mode) {
	at := f.win.cell
	x := foreign{by: f.g, location: l, mode: mode, from: f.win.from, yielded: f.win.yields, count: 1}
	x.goroutine, x.stack = goroutineID(), callers()
	_, gd := place(f.win.addr)
	quiet()
	gd.Lock()
	if at.owner != 0 && at.epoch == f.win.epoch {
		x.to = at.stamp()
		if x.from == 0 {
			x.from = x.to
		}
		x.lastFrom, x.lastTo = x.from, x.to
		if !at.knows(f.g, l, mode, x.from, x.to) {
			at.remember(x, c.history)
		}
		suspect(l)
	}
	gd.Unlock()
	loud()
	f.win.cell = nil
}

// verdict is one section that ended, with the foreign accesses that broke it.
type verdict struct {
	section   *Section
	entry     *Location
	end       *End
	at        *Location
	addr      uintptr
	key       any
	keyed     bool
	offenders []foreign
	dropped   int
}

// settle is the afterAccess of Figure 3: sections that end at l are judged
// and closed. It returns the healing locks to release and the verdicts.
//
//go:norace
func (f *Frame) settle(l *Location, in *instance, locks []*healingLock, found []verdict) ([]*healingLock, []verdict) {
	b, gd := place(in.addr)
	if loadPointer(&b.cells) == nil {
		return locks, found
	}
	quiet()
	gd.Lock()
	at := b.find(in)
	if at != nil && at.owner == f.g {
		for i := range l.Ends {
			locks, found = f.finish(at, l, &l.Ends[i], locks, found)
		}
		for i := range at.opens {
			o := &at.opens[i]
			if o.fresh && f.win.strict {
				o.start = at.stamp()
			}
			o.fresh = false
		}
		if len(at.opens) == 0 {
			b.drop(gd, at)
		}
	}
	gd.Unlock()
	loud()
	return locks, found
}

// finish ends the section of e at l, if it is open and this is its last count.
//
//go:norace
func (f *Frame) finish(at *cell, l *Location, e *End, locks []*healingLock, found []verdict) ([]*healingLock, []verdict) {
	i := at.index(e.Section)
	if i < 0 {
		return locks, found
	}
	o := &at.opens[i]
	if o.fresh && e.Section.Circular {
		return locks, found // the first visit of a circular section
	}
	mine := f.opened(at, e.Section, o.id)
	if o.count > 1 {
		o.count--
		o.again = 0
		if mine >= 0 {
			f.take(mine)
		}
		return locks, found
	}
	limit := ^uint64(0)
	if f.win.strict {
		limit = f.win.end
	}
	if v, broken := at.judge(o, e, limit); broken {
		v.at = l
		found = append(found, v)
	}
	if o.again != 0 {
		o.start, o.again, o.entry, o.fresh = o.again, 0, l, true
		return locks, found
	}
	if o.lock != nil {
		locks = append(locks, o.lock)
	}
	at.shut(i)
	if mine >= 0 {
		f.take(mine)
	}
	return locks, found
}

// judge collects the suspects since o's start that e does not allow.
//
//go:norace
func (c *cell) judge(o *opened, e *End, limit uint64) (v verdict, broken bool) {
	n := 0
	for i := range c.suspects {
		if c.suspects[i].breaks(o.start, limit, e.Allow) {
			n++
		}
	}
	if n == 0 {
		return v, false
	}
	v = verdict{section: o.section, entry: o.entry, end: e, addr: c.inst.addr,
		key: c.inst.key, keyed: c.inst.keyed, dropped: c.dropped}
	v.offenders = make([]foreign, 0, n)
	for i := range c.suspects {
		if s := &c.suspects[i]; s.breaks(o.start, limit, e.Allow) {
			v.offenders = v.offenders[:len(v.offenders)+1]
			last := &v.offenders[len(v.offenders)-1]
			*last = *s
			last.stack = copyOf(s.stack)
		}
	}
	suspect(o.entry)
	return v, true
}

//go:norace
func (x *foreign) breaks(start, limit uint64, allow Mode) bool {
	return x.mode&^allow != 0 &&
		(x.from >= start && x.to <= limit || x.lastFrom >= start && x.lastTo <= limit)
}

// leave closes r's section in c without a verdict and returns the healing
// lock that it held, if any.
//
//go:norace
func (c *cell) leave(r *record, g G) (lock *healingLock) {
	b, gd := place(r.addr)
	quiet()
	gd.Lock()
	if c.owner == g && c.epoch == r.epoch {
		if i := c.index(r.section); i >= 0 && c.opens[i].id == r.id {
			if c.opens[i].count > 1 {
				c.opens[i].count--
			} else {
				lock = c.opens[i].lock
				c.shut(i)
				if len(c.opens) == 0 {
					b.drop(gd, c)
				}
			}
		}
	}
	gd.Unlock()
	loud()
	return lock
}
