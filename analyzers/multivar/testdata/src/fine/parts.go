package fine

import "sync"

// Chronicle computes its index anew in the critical section in which it was changed.
type Chronicle struct {
	mu    sync.Mutex
	pages map[string]int
	index []string
}

func (c *Chronicle) Set(pages map[string]int) {
	c.mu.Lock()
	c.pages = pages
	now := c.pages
	var names []string
	for name := range now {
		names = append(names, name)
	}
	c.index = names
	c.mu.Unlock()
}

// Sort looks and stores under one lock, after a change.
func (c *Chronicle) Sort() {
	c.mu.Lock()
	c.pages = nil
	c.mu.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.index = make([]string, len(c.pages))
}
