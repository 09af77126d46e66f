package broken

import "sync"

type parcel struct {
	flags  int
	weight int
}

// Carrier readies the very parcel that all deliveries have.
type Carrier struct {
	mu    sync.RWMutex
	model parcel
	heavy bool
}

func (c *Carrier) ready(p *parcel) {
	c.mu.RLock()
	if c.heavy {
		p.flags |= 2 // want `two goroutines can both read p.flags before either stores it, and one update is lost: c.mu is held for reading only`
	}
	c.mu.RUnlock()
}

func (c *Carrier) Deliver(weight int) int {
	c.mu.RLock()
	p := &c.model
	c.mu.RUnlock()
	p.weight = weight
	c.ready(p)
	return p.flags
}

func (c *Carrier) SetHeavy(heavy bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.heavy = heavy
	c.model.flags |= 1
}

func (c *Carrier) Start() {
	for range 3 {
		go c.Deliver(1)
		go c.SetHeavy(true)
	}
}
