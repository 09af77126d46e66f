package fine

import (
	"errors"
	"sync"
	"sync/atomic"
)

// Choir tells its singers when it is over.
type Choir struct {
	mu      sync.Mutex
	over    atomic.Bool
	closed  atomic.Bool
	singers map[string]func(error)
	readers map[chan string]bool
}

func NewChoir(notes chan string) *Choir {
	c := &Choir{singers: map[string]func(error){}, readers: map[chan string]bool{}}
	go c.conduct(notes)
	return c
}

// Join looks again under the lock.
func (c *Choir) Join(name string, told func(error)) error {
	if c.over.Load() {
		return errors.New("over")
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.over.Load() {
		return errors.New("over")
	}
	c.singers[name] = told
	return nil
}

func (c *Choir) Fail(err error) { c.shutdown(err) }

func (c *Choir) shutdown(err error) {
	if !c.over.CompareAndSwap(false, true) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, told := range c.singers {
		told(err)
	}
}

// Listen may be late: who is told of a note is told of the next one as well.
func (c *Choir) Listen(ch chan string) {
	if c.closed.Load() {
		return
	}
	c.mu.Lock()
	c.readers[ch] = true
	c.mu.Unlock()
}

func (c *Choir) conduct(notes chan string) {
	for n := range notes {
		c.closed.Store(n == "")
		c.mu.Lock()
		for r := range c.readers {
			r <- n
		}
		c.mu.Unlock()
	}
}
