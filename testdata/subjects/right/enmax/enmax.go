// Package enmax remembers the highest offset that each reader has confirmed.
package enmax

import "sync"

type cursor struct {
	offset int64
	name   string
}

// Cursors only go forward.
type Cursors struct {
	mu  sync.Mutex
	all map[string]*cursor
}

// New makes them.
func New() *Cursors { return &Cursors{all: map[string]*cursor{}} }

// Add adds a reader.
func (c *Cursors) Add(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.all[name]; !ok {
		c.all[name] = &cursor{name: name}
	}
}

// Offset is how far the reader is.
func (c *Cursors) Offset(name string) int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if r, ok := c.all[name]; ok {
		return r.offset
	}
	return 0
}

// Raise takes the reader to the offset, if it is not further already.
func (c *Cursors) Raise(name string, to int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if r, ok := c.all[name]; ok {
		r.offset = max(r.offset, to)
	}
}

// Confirm confirms what was read; the look saves a write to the log.
func (c *Cursors) Confirm(name string, to int64, log func(string, int64) error) error {
	if c.Offset(name) >= to {
		return nil
	}
	if err := log(name, to); err != nil {
		return err
	}
	c.Raise(name, to)
	return nil
}

// Skip goes to the end.
func (c *Cursors) Skip(name string, end int64) { c.Raise(name, end) }
