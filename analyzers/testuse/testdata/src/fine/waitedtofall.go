package fine

import (
	"errors"
	"sync"
)

var errShutChute = errors.New("shut")

// Chute is closed when nobody sends any more.
type Chute struct {
	mu      sync.Mutex
	cond    *sync.Cond
	waiting int
	shut    chan struct{}
	items   chan int
}

func (c *Chute) Send(i int) error {
	c.mu.Lock()
	c.waiting++
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		c.waiting--
		c.cond.Signal()
		c.mu.Unlock()
	}()
	select {
	case <-c.shut:
		return errShutChute
	case c.items <- i:
		return nil
	}
}

// Close is called once.
func (c *Chute) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	close(c.shut)
	for c.waiting > 0 {
		c.cond.Wait()
	}
	close(c.items)
}
