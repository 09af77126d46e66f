package fine

import "sync"

// Crates are thrown away by one goroutine alone, whatever is in them, once they are listed.
type Crates struct {
	mu     sync.RWMutex
	crates map[string]*sweptCrate
	gone   chan string
	done   chan struct{}
}

type sweptCrate struct{ label string }

func NewCrates() *Crates {
	c := &Crates{crates: map[string]*sweptCrate{}, gone: make(chan string), done: make(chan struct{})}
	c.crates["first"] = &sweptCrate{label: "first"}
	go c.sweep()
	return c
}

func (c *Crates) sweep() {
	for {
		select {
		case <-c.done:
			return
		case name := <-c.gone:
			c.mu.RLock()
			x, ok := c.crates[name]
			c.mu.RUnlock()
			if ok && x.label != "" {
				c.mu.Lock()
				delete(c.crates, name)
				c.mu.Unlock()
			}
		}
	}
}

func (c *Crates) Has(name string) bool {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.crates[name] != nil
}
