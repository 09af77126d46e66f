package heal

import "unsafe"

// cell is Access(v) together with SuspectAccess(v) of papers/001 Figure 3,
// for one instance over which some goroutine has sections open. It exists
// only that long.
type cell struct {
	next  *cell
	inst  instance
	owner G      // the one goroutine that is monitored
	epoch uint64 // differs for each owner that the cell ever had
	tick  uint64 // orders the events below
	opens []opened
	// suspects are the other goroutines' accesses, bounded by history; dropped
	// counts those beyond it.
	suspects []foreign
	dropped  int
}

// opened is a section which the cell's owner has open. The sections of one
// owner may lie side by side: each is judged by what happened since its start.
type opened struct {
	section *Section
	entry   *Location
	id      uint64 // tells it from other openings of the same section
	start   uint64 // tick at which it began
	again   uint64 // overlap: tick at which the next round began, or 0
	count   int    // recursion
	fresh   bool   // began at the access that is under way
	lock    *healingLock
}

// foreign is one element of SuspectAccess(v).
type foreign struct {
	by        G
	location  *Location
	mode      Mode
	from, to  uint64 // ticks between which the access happened, the first time
	lastFrom  uint64 // and the last time
	lastTo    uint64
	goroutine uint64
	stack     []uintptr
	yielded   bool // had backed off as far as it may before
	count     int
}

// find returns the cell of in, or nil. The guard must be held.
//
//go:norace
func (b *bucket) find(in *instance) *cell {
	for c := (*cell)(b.cells); c != nil; c = c.next {
		if c.inst.is(in) {
			return c
		}
	}
	return nil
}

// add makes a cell for in, owned by g. The guard must be held.
//
//go:norace
func (b *bucket) add(gd *guard, in *instance, g G) *cell {
	c := gd.cells
	if c == nil {
		c = &cell{opens: make([]opened, 0, 4)}
	} else {
		gd.cells = c.next
		gd.idle--
	}
	c.inst, c.owner = *in, g
	c.epoch++
	c.next = (*cell)(b.cells)
	b.cells = unsafe.Pointer(c)
	return c
}

// drop removes the idle cell c. The guard must be held.
//
//go:norace
func (b *bucket) drop(gd *guard, c *cell) {
	if (*cell)(b.cells) == c {
		b.cells = unsafe.Pointer(c.next)
	} else {
		for p := (*cell)(b.cells); p != nil; p = p.next {
			if p.next == c {
				p.next = c.next
				break
			}
		}
	}
	c.inst, c.owner = instance{}, 0
	c.epoch++
	for i := range c.suspects {
		c.suspects[i] = foreign{}
	}
	c.suspects, c.dropped = c.suspects[:0], 0
	c.next = nil
	if gd.idle < maxIdle {
		c.next, gd.cells = gd.cells, c
		gd.idle++
	}
}

// stamp advances the cell's clock.
//
//go:norace
func (c *cell) stamp() uint64 {
	c.tick++
	return c.tick
}

// index returns where s stands among the open sections, or -1.
//
//go:norace
func (c *cell) index(s *Section) int {
	for i := range c.opens {
		if c.opens[i].section == s {
			return i
		}
	}
	return -1
}

// open notes that section s begins at l.
//
//go:norace
func (c *cell) open(s *Section, l *Location) *opened {
	n := len(c.opens)
	if n == cap(c.opens) {
		// Grown by hand: append would show the race detector our own reads.
		bigger := make([]opened, n, 2*n+4)
		for i := range c.opens {
			bigger[i] = c.opens[i]
		}
		c.opens = bigger
	}
	c.opens = c.opens[:n+1]
	at := c.stamp()
	c.opens[n] = opened{section: s, entry: l, id: at, start: at, count: 1, fresh: true}
	return &c.opens[n]
}

// shut forgets the open section i.
//
//go:norace
func (c *cell) shut(i int) {
	last := len(c.opens) - 1
	for ; i < last; i++ {
		c.opens[i] = c.opens[i+1]
	}
	c.opens[last] = opened{}
	c.opens = c.opens[:last]
}

// knows reports whether x would only repeat a suspect, and refreshes that one.
//
//go:norace
func (c *cell) knows(by G, l *Location, mode Mode, from, to uint64) bool {
	for i := range c.suspects {
		s := &c.suspects[i]
		if s.by == by && s.location == l && s.mode == mode {
			s.lastFrom, s.lastTo = from, to
			s.count++
			return true
		}
	}
	return false
}

// remember adds x to the suspects, at most limit of them. When there is no
// room, it replaces one of a mode that is seen twice if its own mode is not
// seen yet, and else is only counted.
//
//go:norace
func (c *cell) remember(x foreign, limit int) {
	limit = max(limit, 3) // one for each mode
	n := len(c.suspects)
	if n < limit {
		if n == cap(c.suspects) {
			bigger := make([]foreign, n, min(2*n+2, limit))
			for i := range c.suspects {
				bigger[i] = c.suspects[i]
			}
			c.suspects = bigger
		}
		c.suspects = c.suspects[:n+1]
		c.suspects[n] = x
		return
	}
	c.dropped++
	var seen [4]int
	for i := range c.suspects {
		seen[c.suspects[i].mode&ReadWrite]++
	}
	if seen[x.mode&ReadWrite] > 0 {
		return
	}
	for i := range c.suspects {
		if seen[c.suspects[i].mode&ReadWrite] > 1 {
			c.suspects[i] = x
			return
		}
	}
}
