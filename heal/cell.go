//go:build !atomrace_off

package heal

import "sync/atomic"

// cell is Access(v) together with SuspectAccess(v) of papers/001 Figure 3, for
// one instance and one goroutine: every goroutine that has sections open over
// the instance has its own. It exists only that long, or while the goroutine
// claims the instance (see claim.go).
type cell struct {
	next  *cell
	inst  instance
	owner G
	opens []opened
	// suspects are the other goroutines' accesses, bounded by history; dropped
	// says that there were more.
	suspects []foreign
	dropped  bool

	revealed uint64 // tick at which the owner was seen in a quick section, not adopted yet

	fast uint64 // tick at which the owner was seen in a fast section, not resumed yet

	claims int    // accesses and Holds of the owner under PolicyYield
	since  uint64 // tick at which the present stay of the owner began
	ticket uint64 // the owner has long waited to claim, since this tick
	tired  G      // this goroutine has backed off from the present stay in vain
	forced bool   // the owner's claim was made although another stayed
}

// maxMonitored bounds the goroutines that are monitored over one instance at a
// time. Sections of further ones are not judged.
const maxMonitored = 8

// opened is a section which the cell's owner has open. The sections of one
// owner may lie side by side: each is judged by what happened since its start.
// The ticks are those of the guard, so that no two openings share an id.
type opened struct {
	section *Section
	entry   *Location
	id      uint64    // tells it from other openings of the same section
	start   uint64    // tick at which it began
	again   uint64    // overlap: tick at which the next round began, or 0
	count   int       // recursion
	fresh   bool      // began at the access that is under way
	healed  bool      // was healed when it began
	turns   [2]uint32 // of a section that is apart: in which it began, and the next round; see tells
	lock    *healingLock
}

// of returns g's cell of in, or nil. The guard must be held.
//
//go:norace
func (b *bucket) of(in *instance, g G) *cell {
	for c := b.cells(); c != nil; c = c.next {
		if c.owner == g && c.inst.is(in) {
			return c
		}
	}
	return nil
}

// full reports whether as many goroutines are monitored over in as may be. The
// guard must be held.
//
//go:norace
func (b *bucket) full(in *instance) bool {
	n := 0
	for c := b.cells(); c != nil; c = c.next {
		if (len(c.opens) > 0 || c.revealed > 0 || c.fast > 0) && c.inst.is(in) {
			n++
		}
	}
	return n >= maxMonitored
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
	b.enter(gd, c, nil)
	b.close()
	return c
}

// drop removes c unless its owner still needs it. The guard must be held.
//
//go:norace
func (b *bucket) drop(gd *guard, c *cell) {
	if len(c.opens) > 0 || c.claims > 0 || c.revealed > 0 || c.fast > 0 {
		return
	}
	b.remove(gd, c, nil)
	b.open()
	for i := range c.suspects {
		c.suspects[i] = foreign{}
	}
	*c = cell{opens: c.opens, suspects: c.suspects[:0]}
	if gd.idle < maxIdle {
		c.next, gd.cells = gd.cells, c
		gd.idle++
	}
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

// open notes that section s begins at l, at the tick now.
//
//go:norace
func (c *cell) open(s *Section, l *Location, now uint64) *opened {
	n := len(c.opens)
	if n == cap(c.opens) {
		// Grown by hand: append would show the race detector our own reads.
		bigger := make([]opened, n, 2*n+4)
		//lint:ignore S1001 copy would show the race detector our own reads
		for i := range c.opens {
			bigger[i] = c.opens[i]
		}
		c.opens = bigger
	}
	c.opens = c.opens[:n+1]
	c.opens[n] = opened{section: s, entry: l, id: now, start: now, count: 1, fresh: true}
	c.opens[n].turns[0] = s.turn()
	return &c.opens[n]
}

// turn is the present one, if s is apart.
//
//go:norace
func (s *Section) turn() uint32 {
	if !s.Apart {
		return 0
	}
	return atomic.LoadUint32(&restTurns)
}

// tells reports whether the end of o says anything. That of a section that is apart does
// not if activations rested when it began or have rested since: the end that was meant may
// have been in one of them, and o have lasted longer than it ought to.
//
//go:norace
func (o *opened) tells() bool {
	return o.turns[0]&1 == 0 && o.turns[0] == o.section.turn()
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

// oldest returns the tick at which the first of the open sections began.
//
//go:norace
func (c *cell) oldest() uint64 {
	first := never
	if c.revealed > 0 {
		first = c.revealed
	}
	if c.fast > 0 {
		first = min(first, c.fast)
	}
	for i := range c.opens {
		first = min(first, c.opens[i].start)
	}
	return first
}

// leave closes r's section in c without a verdict and returns the healing
// lock that it held, if any.
//
//go:norace
func (c *cell) leave(r *record, g G) (lock *healingLock) {
	b, gd := place(r.addr)
	gd.lock(b, nil)
	if c.owner == g {
		if i := c.index(r.section); i >= 0 && c.opens[i].id == r.id {
			if c.opens[i].count > 1 {
				c.opens[i].count--
			} else {
				lock = c.opens[i].lock
				c.shut(i)
				b.drop(gd, c)
			}
		}
	}
	gd.unlock(b)
	return lock
}
