//go:build !atomrace_off

package heal

import "unsafe"

// room is what hangs in a bucket: the cells of open sections, and the healing locks that
// are held or waited for. Few buckets have one at a time, and so the rooms stand apart, in
// the guards, and the tables of buckets hold no pointers: what holds some is read by the
// garbage collector in each cycle, and counts as memory that lets the heap grow.
type room struct {
	cells *cell
	locks *healingLock
	free  uint32 // the next one that is free, by its number
}

// roomNumbers has, for each bucket, twice the number of its room, 0 if it has none, and one more
// while there are cells in it. It is written under the guard, and read without as a first
// glance.
var roomNumbers [1 << bucketBits]uint32

const hasCells = 1

// number is that of b in all tables of buckets.
//
//go:norace
func (b *bucket) number() uintptr {
	return (uintptr(unsafe.Pointer(b)) - uintptr(unsafe.Pointer(&buckets))) / unsafe.Sizeof(*b)
}

// room is that of b, nil if it has none; it stays where it is until the next one is made.
// The guard must be held.
//
//go:norace
func (b *bucket) room() *room {
	n := b.number()
	if roomNumbers[n] == 0 {
		return nil
	}
	return &guarded[n%guards].rooms[roomNumbers[n]>>1-1]
}

// cells are those in b, a list. The guard must be held.
//
//go:norace
func (b *bucket) cells() *cell {
	if r := b.room(); r != nil {
		return r.cells
	}
	return nil
}

// locks are the healing locks in b, a list. The guard must be held.
//
//go:norace
func (b *bucket) locks() *healingLock {
	if r := b.room(); r != nil {
		return r.locks
	}
	return nil
}

// enter puts c, or h, into the room of b, as the first of its kind. The guard must be held.
//
//go:norace
func (b *bucket) enter(gd *guard, c *cell, h *healingLock) {
	r := b.taken(gd)
	if c != nil {
		c.next, r.cells = r.cells, c
		roomNumbers[b.number()] |= hasCells
	}
	if h != nil {
		h.next, r.locks = r.locks, h
	}
}

// remove takes c, or h, out of the room of b, and gives the room back when it is empty. The
// guard must be held.
//
//go:norace
func (b *bucket) remove(gd *guard, c *cell, h *healingLock) {
	r, at := b.room(), &roomNumbers[b.number()]
	if r == nil {
		return
	}
	if c != nil {
		p := &r.cells
		for *p != nil && *p != c {
			p = &(*p).next
		}
		if *p == c {
			*p = c.next
		}
	}
	if h != nil {
		p := &r.locks
		for *p != nil && *p != h {
			p = &(*p).next
		}
		if *p == h {
			*p = h.next
		}
	}
	switch {
	case r.cells != nil:
	case r.locks != nil:
		*at &^= hasCells
	default:
		r.free, gd.free = gd.free, *at>>1
		*at = 0
	}
}

// taken is the room of b, a new one if it has none. The guard must be held.
//
//go:norace
func (b *bucket) taken(gd *guard) *room {
	if r := b.room(); r != nil {
		return r
	}
	number := gd.free
	if number == 0 {
		number = gd.build()
	}
	r := &gd.rooms[number-1]
	gd.free, r.free = r.free, 0
	roomNumbers[b.number()] = number << 1
	return r
}

// build makes more rooms, and returns the number of one. The guard must be held.
//
//go:norace
func (gd *guard) build() uint32 {
	n := len(gd.rooms)
	// Grown by hand: append would show the race detector our own reads.
	bigger := make([]room, 2*n+2)
	//lint:ignore S1001 copy would show the race detector our own reads
	for i := range gd.rooms {
		bigger[i] = gd.rooms[i]
	}
	for i := n; i < len(bigger)-1; i++ {
		bigger[i].free = uint32(i + 2)
	}
	gd.rooms = bigger
	return uint32(n + 1)
}
