package broken

import (
	"errors"
	"sync"
	"sync/atomic"
)

// Choir tells its singers when it is over, by functions of its own.
type Choir struct {
	mu      sync.RWMutex
	over    atomic.Bool
	closed  atomic.Bool
	singers map[string]func(error)
	readers []chan string
	notes   chan string
}

func NewChoir() *Choir {
	c := &Choir{singers: map[string]func(error){}, notes: make(chan string)}
	go c.conduct()
	return c
}

func (c *Choir) Join(name string, told func(error)) error {
	if c.over.Load() { // want `c.over can be set by \(\*Choir\).shutdown after it was tested here and before c.singers is added to`
		return errors.New("over")
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.singers[name]; ok {
		return errors.New("twice")
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
	singers := c.singers
	c.singers = map[string]func(error){}
	c.mu.Unlock()
	for _, told := range singers {
		told(err)
	}
}

func (c *Choir) Listen(ch chan string) {
	if c.closed.Load() { // want `c.closed can be set by \(\*Choir\).conduct after it was tested here and before c.readers is added to`
		close(ch)
		return
	}
	c.mu.Lock()
	c.readers = append(c.readers, ch)
	c.mu.Unlock()
}

func (c *Choir) conduct() {
	for n := range c.notes {
		c.mu.RLock()
		for _, r := range c.readers {
			r <- n
		}
		c.mu.RUnlock()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed.Store(true)
	for _, r := range c.readers {
		close(r)
	}
}
