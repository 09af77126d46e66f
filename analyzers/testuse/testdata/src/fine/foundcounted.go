package fine

import (
	"errors"
	"os"
	"sync"
	"sync/atomic"
)

type binder struct {
	f    *os.File
	mu   sync.Mutex
	dead bool
	refs atomic.Int32
	hits atomic.Int32
	uses int
}

// Binders count under the lock of the map, or look again.
type Binders struct {
	mu   sync.Mutex
	open map[string]*binder
	warm map[string]*binder
}

func (c *Binders) find(name string) *binder {
	c.mu.Lock()
	defer c.mu.Unlock()
	h := c.open[name]
	if h != nil {
		h.refs.Add(1)
	}
	return h
}

func (c *Binders) ReadAt(name string, p []byte, off int64) (int, error) {
	h := c.find(name)
	if h == nil {
		return 0, os.ErrNotExist
	}
	defer h.refs.Add(-1)
	return h.f.ReadAt(p, off)
}

// Again looks whether it is still there.
func (c *Binders) Again(name string) (*binder, error) {
	c.mu.Lock()
	h := c.open[name]
	c.mu.Unlock()
	if h == nil {
		return nil, os.ErrNotExist
	}
	h.refs.Add(1)
	c.mu.Lock()
	same := c.open[name] == h
	c.mu.Unlock()
	if !same {
		h.refs.Add(-1)
		return nil, os.ErrNotExist
	}
	return h, nil
}

func (c *Binders) Evict() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for name, h := range c.open {
		if h.refs.Load() == 0 {
			h.f.Close()
			delete(c.open, name)
		}
	}
}

// Hit counts how often it was asked for: nobody counts that down.
func (c *Binders) Hit(name string) {
	c.mu.Lock()
	h := c.warm[name]
	c.mu.Unlock()
	if h != nil {
		h.hits.Add(1)
	}
}

func (c *Binders) Cool() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for name, h := range c.warm {
		if h.hits.Load() == 0 {
			delete(c.warm, name)
		}
	}
}

// Use is told by the object that it is gone.
func (c *Binders) Use(name string) error {
	c.mu.Lock()
	h := c.warm[name]
	c.mu.Unlock()
	if h == nil {
		return os.ErrNotExist
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.dead {
		return errors.New("gone")
	}
	h.uses++
	return nil
}

func (c *Binders) Leave(h *binder) {
	h.mu.Lock()
	h.uses--
	h.mu.Unlock()
}

func (c *Binders) Clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for name, h := range c.warm {
		h.mu.Lock()
		if h.uses == 0 {
			h.dead = true
			delete(c.warm, name)
		}
		h.mu.Unlock()
	}
}
