//go:build !atomrace_off

package heal

// lock takes the guard of b for whatever concerns sections. Who is about to
// access in says so, and the quick section in b is revealed to it.
//
//go:norace
func (gd *guard) lock(b *bucket, in *instance) {
	quiet()
	gd.Lock()
	if in != nil && !in.keyed {
		b.reveal(gd, in)
	}
}

// unlock gives the guard back and leaves b's word as its cells demand.
//
//go:norace
func (gd *guard) unlock(b *bucket) {
	if b.cells() == nil {
		compareAndSwap(b.word(), flagged, 0)
	} else {
		compareAndSwap(b.word(), 0, flagged)
	}
	gd.Unlock()
	loud()
}

// reveal flags the word of a quick section and sees to it that its owner has a
// cell of in. What else is revealed in b's cells is a remainder: its owner ended
// it at the very moment at which it was revealed, or its word was overwritten.
// The guard must be held.
//
//go:norace
func (b *bucket) reveal(gd *guard, in *instance) {
	w := loadWord(b.word())
	for w != 0 && w&flagged == 0 {
		if compareAndSwap(b.word(), w, w|flagged) {
			b.forget(gd, 0)
			w |= flagged
			break
		}
		w = loadWord(b.word())
	}
	owner := G(w >> 1)
	b.forget(gd, owner)
	if owner == 0 {
		return
	}
	c := b.of(in, owner)
	if c == nil {
		if b.full(in) {
			return
		}
		c = b.add(gd, in, owner)
	}
	if c.revealed == 0 {
		c.revealed = gd.stamp()
	}
}

// forget drops what was revealed of all but owner in b's cells. The guard must
// be held.
//
//go:norace
func (b *bucket) forget(gd *guard, owner G) {
	var next *cell
	for c := b.cells(); c != nil; c = next {
		next = c.next
		if c.revealed != 0 && c.owner != owner {
			c.revealed = 0
			b.drop(gd, c)
		}
	}
}
