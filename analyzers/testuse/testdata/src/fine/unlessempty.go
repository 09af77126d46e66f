package fine

import "sync"

// Scullery keeps things, at most so many. It is safe for concurrent use.
type Scullery struct {
	mu     sync.RWMutex
	things map[string]int
	oldest []string
	most   int
}

func (c *Scullery) size() int {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return len(c.things)
}

// throwOut takes one away, if there is any.
func (c *Scullery) throwOut() {
	if len(c.oldest) == 0 || len(c.things) == 0 {
		return
	}
	delete(c.things, c.oldest[0])
	c.oldest = c.oldest[1:]
}

// cutBack takes one away, if there are too many.
func (c *Scullery) cutBack() {
	if len(c.things) > c.most {
		delete(c.things, c.oldest[0])
		c.oldest = c.oldest[1:]
	}
}

// Keep keeps one more thing. Whether there are too many is asked again.
func (c *Scullery) Keep(name string, n int) {
	c.mu.Lock()
	c.things[name] = n
	c.oldest = append(c.oldest, name)
	c.mu.Unlock()
	if c.size() > c.most {
		c.mu.Lock()
		c.cutBack()
		c.mu.Unlock()
	}
}

// Store keeps one more thing. Whether there are too many is asked again.
func (c *Scullery) Store(name string, n int) {
	c.mu.Lock()
	c.things[name] = n
	c.oldest = append(c.oldest, name)
	c.mu.Unlock()
	if c.size() > c.most {
		c.mu.Lock()
		if len(c.things) > c.most {
			c.throwOut()
		}
		c.mu.Unlock()
	}
}

// Clear throws out one. What is asked twice is whether there is any.
func (c *Scullery) Clear() {
	if c.size() > 0 {
		c.mu.Lock()
		c.throwOut()
		c.mu.Unlock()
	}
}
