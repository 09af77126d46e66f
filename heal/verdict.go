//go:build !atomrace_off

package heal

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
	dropped   bool
	healed    bool   // was healed when it began, and so could those be that broke it
	change    change // around the end
	early     bool   // was healed, and those that broke it were in critical sections that began before
}

// settle is the afterAccess of Figure 3: sections that end at l are judged
// and closed. It returns the healing locks to release and the verdicts.
//
//go:norace
func (f *Frame) settle(l *Location, in *instance, locks []*healingLock, found []verdict) ([]*healingLock, []verdict) {
	b, gd := place(in.addr)
	// A first glance; what is one's own is there
	if !b.inUse() && f.count == 0 {
		return locks, found
	}
	gd.lock(b, nil)
	if f.count != 0 && f.quickIn(b) {
		f.adopt(b, gd)
	}
	if at := b.of(in, f.g); at != nil {
		ends := l.endings()
		for i := range ends {
			locks, found = f.finish(at, l, &ends[i], locks, found)
		}
		for i := range at.opens {
			o := &at.opens[i]
			if o.fresh && f.win.strict {
				o.start = gd.stamp()
			}
			o.fresh = false
		}
		b.drop(gd, at)
	}
	gd.unlock(b)
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
	limit := never
	if f.win.strict {
		limit = f.win.from
	}
	if v, broken := at.judge(o, e, limit); broken {
		v.at = l
		found = append(found, v)
	}
	if o.again != 0 {
		o.start, o.again, o.entry, o.fresh, o.turns[0] = o.again, 0, l, true, o.turns[1]
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
	if !o.tells() {
		return v, false
	}
	for i := range c.suspects {
		if s := &c.suspects[i]; s.breaks(o.start, limit, e.allows(s.location)) {
			n++
		}
	}
	if n == 0 {
		return v, false
	}
	v = verdict{section: o.section, entry: o.entry, end: e, addr: c.inst.addr,
		key: c.inst.key, keyed: c.inst.keyed, dropped: c.dropped, healed: o.healed}
	early := true
	v.offenders = make([]foreign, 0, n)
	for i := range c.suspects {
		if s := &c.suspects[i]; s.breaks(o.start, limit, e.allows(s.location)) {
			v.offenders = v.offenders[:len(v.offenders)+1]
			early = early && s.early
			last := &v.offenders[len(v.offenders)-1]
			*last = *s
			last.stack = copyOf(s.stack)
			last.created = s.created.copied()
			if !s.begins(o.start, limit) {
				last.change = change{}
			}
		}
	}
	v.early = v.healed && early
	v.healed = v.healed && !early
	suspect(o.entry)
	return v, true
}
