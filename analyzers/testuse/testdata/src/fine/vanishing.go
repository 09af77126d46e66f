package fine

import "sync"

type stall struct{ sales int }

// Bazaar looks again before it relies on a stall.
type Bazaar struct {
	mu     sync.Mutex
	stalls map[string]*stall
	totals map[string]int
	fixed  map[string]*stall
}

func (z *Bazaar) Leave(name string) {
	z.mu.Lock()
	defer z.mu.Unlock()
	delete(z.stalls, name)
	delete(z.totals, name)
}

func (z *Bazaar) Sell(name string) bool {
	z.mu.Lock()
	_, ok := z.stalls[name]
	z.mu.Unlock()
	if !ok {
		return false
	}
	z.mu.Lock()
	defer z.mu.Unlock()
	s := z.stalls[name]
	if s == nil {
		return false
	}
	s.sales++
	return true
}

// Total does with no entry as well.
func (z *Bazaar) Total(name string) int {
	z.mu.Lock()
	_, ok := z.totals[name]
	z.mu.Unlock()
	if !ok {
		return 0
	}
	z.mu.Lock()
	defer z.mu.Unlock()
	return z.totals[name]
}

// Fix relies on an entry that nobody deletes.
func (z *Bazaar) Fix(name string) {
	z.mu.Lock()
	if z.fixed[name] == nil {
		z.fixed[name] = &stall{}
	}
	z.mu.Unlock()
	z.mu.Lock()
	z.fixed[name].sales++
	z.mu.Unlock()
}

// Visit makes sure of the entry once more.
func (z *Bazaar) Visit(name string) {
	z.mu.Lock()
	if z.stalls[name] == nil {
		z.stalls[name] = &stall{}
	}
	z.mu.Unlock()
	z.mu.Lock()
	defer z.mu.Unlock()
	if z.stalls[name] == nil {
		z.stalls[name] = &stall{}
	}
	z.stalls[name].sales++
}

// DeskCounter has desks that are deleted by who has put them there.
type DeskCounter struct {
	mu    sync.Mutex
	desks map[int]*stall
}

func (c *DeskCounter) Serve(id int, work func()) {
	c.mu.Lock()
	c.desks[id] = &stall{}
	c.mu.Unlock()
	defer c.gone(id)
	work()
	c.mu.Lock()
	_, ok := c.desks[id]
	c.mu.Unlock()
	if !ok {
		return
	}
	c.mu.Lock()
	c.desks[id].sales++
	c.mu.Unlock()
}

func (c *DeskCounter) gone(id int) {
	c.mu.Lock()
	delete(c.desks, id)
	c.mu.Unlock()
}
