package broken

import "sync"

// Ring runs tick in a goroutine that calls what it is given.
type Ring struct {
	mu    sync.RWMutex
	nodes []*conn
	next  int
	over  bool
	quit  chan int
	first *conn
}

func NewRing(ticks chan int) *Ring {
	r := &Ring{}
	go r.each(ticks, r.tick)
	return r
}

func (r *Ring) each(ticks chan int, f func()) {
	for range ticks {
		f()
	}
}

func (r *Ring) tick() {
	if r.next >= len(r.nodes) { // want `another goroutine can change r.nodes after it was tested and before it is used: r.mu is taken only afterwards`
		return
	}
	r.mu.RLock()
	c, skip := r.nodes[r.next], false
	if c.users == 0 {
		skip = true // which tells nothing about the length
	}
	r.mu.RUnlock()
	if !skip {
		c.users++
	}
}

func (r *Ring) Reset() {
	r.mu.Lock()
	r.nodes = r.nodes[:0]
	r.mu.Unlock()
}

// Stop takes the lock itself. The lock must not be held on entry.
func (r *Ring) Stop() {
	r.mu.RLock()
	over := r.over // want `both pass the test of r.over and close r.quit twice`
	r.mu.RUnlock()
	if over {
		return
	}
	r.mu.Lock()
	r.over = true
	close(r.quit)
	r.mu.Unlock()
}

// Fill compares something else afterwards than what it has looked at.
func (r *Ring) Fill(to *Ring) {
	r.mu.RLock()
	first := r.first // want `both pass the test of r.first and both set it`
	r.mu.RUnlock()
	if first != nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.next == to.next {
		return
	}
	r.first = &conn{}
	go r.each(nil, r.tick)
}
