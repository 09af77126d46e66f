package heal

import "unsafe"

// lock takes the guard of b for whatever concerns sections, and reveals the
// quick section over b, if there is one.
//
//go:norace
func (gd *guard) lock(b *bucket) {
	quiet()
	gd.Lock()
	b.reveal(gd)
}

// unlock gives the guard back and leaves b's word as its cells demand.
//
//go:norace
func (gd *guard) unlock(b *bucket) {
	if b.cells == nil {
		compareAndSwap(&b.word, flagged, 0)
	} else {
		compareAndSwap(&b.word, 0, flagged)
	}
	gd.Unlock()
	loud()
}

// reveal flags the word of a quick section and makes its cell. What else is
// marked quick in b's cells is a remainder then: its owner has ended it at the
// very moment at which it was revealed, or the word was overwritten. The guard
// must be held.
//
//go:norace
func (b *bucket) reveal(gd *guard) {
	w := loadWord(&b.word)
	for w != 0 && w&flagged == 0 {
		addr, entry := loadAddress(&b.addr), loadAddress(&b.entry)
		if compareAndSwap(&b.word, w, w|flagged) {
			b.forget(gd, 0)
			b.promote(gd, G(w>>1), addr, location(entry))
			return
		}
		w = loadWord(&b.word)
	}
	b.forget(gd, G(w>>1))
}

// promote makes the cell of g's quick section, as far as what the bucket says is
// consistent: its owner will compare it with what it knows itself.
//
//go:norace
func (b *bucket) promote(gd *guard, g G, addr uintptr, entry *Location) {
	if entry == nil || len(entry.Entry) == 0 {
		return
	}
	in := instance{v: entry.Var.info(), addr: addr}
	c := b.of(&in, g)
	if c == nil {
		if b.full(&in) {
			return
		}
		c = b.add(gd, &in, g)
	}
	if len(c.opens) == 0 && c.claims == 0 {
		c.since = gd.stamp()
	}
	for _, s := range entry.Entry {
		if c.index(s) < 0 {
			o := c.open(s, entry, gd.stamp())
			o.quick, o.fresh = true, false
		}
	}
}

// forget closes the quick sections of all but g in b's cells. The guard must be
// held.
//
//go:norace
func (b *bucket) forget(gd *guard, g G) {
	var next *cell
	for c := (*cell)(b.cells); c != nil; c = next {
		next = c.next
		if c.owner == g {
			continue
		}
		gone := false
		for i := len(c.opens) - 1; i >= 0; i-- {
			if c.opens[i].quick {
				c.shut(i)
				gone = true
			}
		}
		if gone {
			b.drop(gd, c)
		}
	}
}

//go:norace
func location(p uintptr) *Location { return *(**Location)(unsafe.Pointer(&p)) }
