package fine

import (
	"io"
	"sync"
)

// Slideway asks first, with the lock held that who closes takes.
type Slideway struct {
	mu     sync.RWMutex
	in     chan int
	over   chan struct{}
	closed bool
}

func (c *Slideway) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closed {
		c.closed = true
		close(c.over)
		close(c.in)
	}
	return nil
}

func (c *Slideway) Feed(x int) error {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if c.closed {
		return io.ErrClosedPipe
	}
	c.in <- x
	return nil
}

func (c *Slideway) Try(x int) error {
	c.mu.RLock()
	defer c.mu.RUnlock()
	select {
	case <-c.over:
		return io.ErrClosedPipe
	default:
	}
	select {
	case c.in <- x:
	default:
	}
	return nil
}

func (c *Slideway) check() {
	if c.closed {
		panic("closed")
	}
}

func (c *Slideway) Must(x int) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	c.check()
	c.in <- x
}
