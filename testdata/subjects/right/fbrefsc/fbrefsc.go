// Package fbrefsc keeps blocks in memory as long as somebody refers to them.
package fbrefsc

import (
	"errors"
	"sync"
)

type block struct {
	off  int64
	refs int
	data []byte // not changed while refs > 0
}

// Cache has blocks in the order of their offsets.
type Cache struct {
	mu     sync.Mutex
	blocks []*block
	load   func(int64) []byte
}

// New makes a cache of n blocks.
func New(n int, load func(int64) []byte) *Cache {
	c := &Cache{load: load}
	for i := range n {
		c.blocks = append(c.blocks, &block{off: int64(i) << 12, data: load(int64(i) << 12)})
	}
	return c
}

// pin is called with the lock held.
func (c *Cache) pin(off int64) (*block, error) {
	for i := range c.blocks {
		if c.blocks[i].off == off {
			b := c.blocks[i]
			b.refs++
			return c.blocks[i], nil
		}
	}
	return nil, errors.New("fbrefs: no such block")
}

// Read copies from the block while it is pinned.
func (c *Cache) Read(p []byte, off int64) (int, error) {
	c.mu.Lock()
	b, err := c.pin(off)
	if err != nil {
		c.mu.Unlock()
		return 0, err
	}
	c.mu.Unlock()
	n := copy(p, b.data)
	c.mu.Lock()
	b.refs--
	c.mu.Unlock()
	return n, nil
}

// Evict drops the data of all that nobody refers to.
func (c *Cache) Evict() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, b := range c.blocks {
		if b.refs == 0 {
			b.data = nil
		}
	}
}
