package fine

import "sync"

// Catalog4 is taken apart by the last one.
type Catalog4 struct {
	mu    sync.RWMutex
	cards map[string]string
	drawn int
}

func (c *Catalog4) Add(k, v string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cards == nil {
		c.cards = map[string]string{}
	}
	c.cards[k] = v
	c.drawn++
}

func (c *Catalog4) Get(k string) string {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.cards[k]
}

func (c *Catalog4) Remove(k string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.cards, k)
}

// Clear lets go of all cards. Call this when all readers of the catalog are finished.
func (c *Catalog4) Clear() {
	c.cards = nil
	c.drawn = 0
}
