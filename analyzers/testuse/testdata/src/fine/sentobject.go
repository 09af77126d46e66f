package fine

import "sync"

// crate belongs to whoever has received it, and has no lock before that.
type crate struct {
	full  bool
	lid   chan struct{}
	count int
}

func (c *crate) shut() {
	if !c.full {
		c.full = true
		close(c.lid)
	}
}

// barrel has a lock, but the one that sends it lets go of it.
type barrel struct {
	mu   sync.Mutex
	full bool
	lid  chan struct{}
}

func (b *barrel) shut() {
	if !b.full {
		b.full = true
		close(b.lid)
	}
}

// Quay is where goods are loaded.
type Quay struct {
	crates  chan *crate
	barrels chan *barrel
}

// Load sends one of each away.
func (q *Quay) Load() {
	c := &crate{lid: make(chan struct{})}
	q.crates <- c
	c.shut()
	b := &barrel{lid: make(chan struct{})}
	b.shut()
	q.barrels <- b
}
