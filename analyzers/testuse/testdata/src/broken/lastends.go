package broken

import (
	"sync"
	"sync/atomic"
)

// A spindle of film is shown in several rooms.
type spindle struct {
	rooms atomic.Int32
	over  chan struct{}
	file  interface{ Close() error }
}

// Cinema hands out the spindle that is on.
type Cinema struct {
	mu  sync.Mutex
	now *spindle
}

// Watch returns what a visitor calls when he leaves.
func (c *Cinema) Watch() func() {
	c.mu.Lock()
	defer c.mu.Unlock()
	r := c.now
	r.rooms.Add(1)
	return func() {
		r.rooms.Add(-1) // want `the result of Add.* is dropped and .* is loaded again`
		if r.rooms.Load() == 0 {
			_ = r.file.Close()
		}
	}
}

// Cord is pulled by those who want to get off.
type Cord struct {
	riders int64
	bell   interface{ Close() error }
}

func (c *Cord) GetOn() { atomic.AddInt64(&c.riders, 1) }

func (c *Cord) GetOff() error {
	atomic.AddInt64(&c.riders, -1) // want `the result of Add.* is dropped and .* is loaded again`
	if atomic.LoadInt64(&c.riders) == 0 {
		return c.bell.Close()
	}
	return nil
}
