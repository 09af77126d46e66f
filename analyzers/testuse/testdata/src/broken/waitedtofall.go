package broken

import (
	"errors"
	"sync"
)

var errShutSlide = errors.New("shut")

// Slide counts as well, and nobody waits for it.
type Slide struct {
	mu    sync.Mutex
	busy  int
	shut  chan struct{}
	items chan int
}

func (c *Slide) Send(i int) error {
	c.mu.Lock()
	c.busy++
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		c.busy--
		c.mu.Unlock()
	}()
	select {
	case <-c.shut:
		return errShutSlide
	case c.items <- i: // want `c.items can be closed here: \(\*Slide\).Close closes it once c.shut is closed`
		return nil
	}
}

// Close is called once.
func (c *Slide) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	close(c.shut)
	close(c.items)
}
