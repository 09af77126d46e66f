package fine

import (
	"errors"
	"sync"
	"sync/atomic"
)

var errTooMany = errors.New("too many")

// Cask is drawn from by many.
type Cask struct {
	litres atomic.Int64
	next   atomic.Uint32
	since  atomic.Int32
	left   atomic.Int32
	mu     sync.Mutex
	locked atomic.Int64
	taps   int
}

// Draw adds back what it has taken.
func (c *Cask) Draw(n int64) error {
	if left := c.litres.Add(-n); left < 0 {
		c.litres.Add(n)
		return errTooMany
	}
	return nil
}

func (c *Cask) Fill(n int64) { c.litres.Add(n) }

// Tap goes round.
func (c *Cask) Tap() int {
	i := c.next.Add(1)
	if i > 1<<30 {
		c.next.Store(i % uint32(c.taps))
	}
	return int(i) % c.taps
}

// Sample begins to count anew.
func (c *Cask) Sample(show func()) {
	if c.since.Add(1) >= 100 {
		c.since.Store(0)
		show()
	}
}

// Arrive is the last one of a round, who sets the count for the next.
func (c *Cask) Arrive(go_ chan struct{}) {
	if c.left.Add(-1) == 0 {
		c.left.Store(int32(c.taps))
		close(go_)
	}
}

// Locked is alone with others of its kind.
func (c *Cask) Locked(n int64) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if left := c.locked.Add(-n); left < 0 {
		c.locked.Store(left + n)
		return errTooMany
	}
	return nil
}
