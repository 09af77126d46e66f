package fine

import "sync"

// A LineCursor goes through a text, for whoever has asked for it.
type LineCursor struct {
	mu   sync.Mutex
	at   int
	seen sync.Map
}

// Mark refuses what was marked before.
func (c *LineCursor) Mark(line string) bool {
	if _, ok := c.seen.Load(line); ok {
		return false
	}
	c.seen.Store(line, true)
	return true
}

// Advance goes on to the next multiple of n.
func (c *LineCursor) Advance(n int) {
	c.mu.Lock()
	at := c.at
	c.mu.Unlock()
	at += n - at%n
	c.mu.Lock()
	c.at = at
	c.mu.Unlock()
}
