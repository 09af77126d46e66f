//go:build !atomrace_off

package heal

// foreign is one element of SuspectAccess(v): what other goroutines did at one
// location, in one mode, while a section of the cell's owner was open. There is
// one stack for all of it, that of the first.
type foreign struct {
	by        G
	location  *Location
	mode      Mode
	from, to  uint64 // ticks between which the access happened, the first time
	lastFrom  uint64 // and the last time
	lastTo    uint64
	goroutine uint64
	stack     []uintptr
	created   *Creation
	yielded   bool // had backed off as far as it may before
	early     bool // each time within a critical section that began before the variable was healed
	several   bool // more than one goroutine did it
	count     int
	change    change // of the first time
}

// accuse makes x a suspect in the cell of each other goroutine that has had a
// section over in open since before x. One that such a cell knows already is
// only counted. Unless traced, x has no stack yet: then accuse changes nothing,
// and returns false, if some cell does not know it. The guard must be held.
//
//go:norace
func (b *bucket) accuse(in *instance, x *foreign, limit int, traced bool) bool {
	if !traced {
		for c := b.cells(); c != nil; c = c.next {
			if c.concerns(in, x) && c.known(x) == nil {
				return false
			}
		}
	}
	for c := b.cells(); c != nil; c = c.next {
		if !c.concerns(in, x) {
			continue
		}
		if s := c.known(x); s != nil {
			s.lastFrom, s.lastTo = x.from, x.to
			s.several = s.several || s.by != x.by
			s.yielded = s.yielded || x.yielded
			s.early = s.early && x.early
			s.count++
		} else {
			c.remember(x, limit)
			suspect(x.location)
		}
	}
	return true
}

// concerned reports whether x is of interest to any cell. The guard must be
// held.
//
//go:norace
func (b *bucket) concerned(in *instance, x *foreign) bool {
	for c := b.cells(); c != nil; c = c.next {
		if c.concerns(in, x) {
			return true
		}
	}
	return false
}

// concerns reports whether x happened while c's owner had a section over in
// open, as far as its begin goes.
//
//go:norace
func (c *cell) concerns(in *instance, x *foreign) bool {
	return c.owner != x.by && c.inst.is(in) && c.oldest() <= x.from
}

// known returns the suspect that x would only repeat, or nil. One that began
// before all the open sections does not count: its stack is of the past.
//
//go:norace
func (c *cell) known(x *foreign) *foreign {
	for i := range c.suspects {
		s := &c.suspects[i]
		if s.location == x.location && s.mode == x.mode && s.from >= c.oldest() {
			return s
		}
	}
	return nil
}

// remember adds x to the suspects, at most limit of them, but one of each kind.
//
//go:norace
func (c *cell) remember(x *foreign, limit int) {
	i := c.room(x, max(limit, 3)) // one for each mode
	if i < 0 {
		return
	}
	c.suspects[i] = *x
	s := &c.suspects[i]
	s.lastFrom, s.lastTo, s.count = x.from, x.to, 1
}

// alike reports whether the ends of a section allow x if they allow y: they go by the
// mode and, in a set of variables, by the variable.
//
//go:norace
func (x *foreign) alike(y *foreign) bool {
	return x.mode&ReadWrite == y.mode&ReadWrite && x.location.of() == y.location.of()
}

// mostSuspects bounds the suspects whose kinds are all different.
const mostSuspects = 64

// room returns the place for x among the suspects: that of one whose time is
// over, a new one, or, when there is no room, that of one whose kind is there
// twice if x's own is not there yet. If x goes under, room returns -1.
//
//go:norace
func (c *cell) room(x *foreign, limit int) int {
	oldest := c.oldest()
	for i := range c.suspects {
		s := &c.suspects[i]
		if s.lastFrom < oldest || s.location == x.location && s.mode == x.mode {
			return i
		}
	}
	if len(c.suspects) < limit {
		return c.grow(limit)
	}
	c.dropped = true
	twice := -1
	for i := range c.suspects {
		if c.suspects[i].alike(x) {
			return -1
		}
		for j := range i {
			if twice < 0 && c.suspects[i].alike(&c.suspects[j]) {
				twice = i
			}
		}
	}
	if twice < 0 && len(c.suspects) < mostSuspects {
		return c.grow(mostSuspects)
	}
	return twice
}

// grow adds a place for a suspect, of which there are limit in the end, and returns it.
//
//go:norace
func (c *cell) grow(limit int) int {
	n := len(c.suspects)
	if n == cap(c.suspects) {
		bigger := make([]foreign, n, min(2*n+2, limit))
		//lint:ignore S1001 copy would show the race detector our own reads
		for i := range c.suspects {
			bigger[i] = c.suspects[i]
		}
		c.suspects = bigger
	}
	c.suspects = c.suspects[:n+1]
	return n
}

// breaks reports whether x breaks a section that began at the tick start, ends
// now, and counts nothing after the tick limit.
//
//go:norace
func (x *foreign) breaks(start, limit uint64, allow Mode) bool {
	return x.mode&^allow != 0 && (x.begins(start, limit) || x.lastFrom >= start && x.lastTo <= limit)
}

// begins reports whether the first time of x lies within that section.
//
//go:norace
func (x *foreign) begins(start, limit uint64) bool { return x.from >= start && x.to <= limit }

// Most foreign accesses break nothing, so that not each can have its traceback: a
// location gets so many. The count is not exact.
const creationsPerLocation = 16

// creationAt is creation for a foreign access at l that may be reported later
// on, nil if l has used up its share.
//
//go:norace
func creationAt(l *Location) *Creation {
	if l.traced >= creationsPerLocation {
		return nil
	}
	l.traced++
	return creation()
}
