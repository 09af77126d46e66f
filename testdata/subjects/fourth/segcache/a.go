package segcache

import (
	"errors"
	"sync"
)

var ErrTooLarge = errors.New("segcache: segment exceeds capacity")

type Cache struct {
	mu    sync.Mutex
	segs  map[string][]byte
	bytes uint64
	cap   uint64
}

func New(capacity uint64) *Cache {
	return &Cache{segs: make(map[string][]byte), cap: capacity}
}

func (c *Cache) Add(name string, seg []byte) error {
	if uint64(len(seg)) > c.cap {
		return ErrTooLarge
	}
	c.mu.Lock()
	if _, dup := c.segs[name]; dup {
		c.mu.Unlock()
		return nil
	}
	c.segs[name] = seg
	c.mu.Unlock()
	c.grow(uint64(len(seg)))
	return nil
}

func (c *Cache) grow(n uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.bytes += n
}

func (c *Cache) Remove(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if seg, ok := c.segs[name]; ok {
		delete(c.segs, name)
		c.bytes -= uint64(len(seg))
	}
}

func (c *Cache) Full() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.bytes >= c.cap
}

func (c *Cache) Get(name string) ([]byte, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s, ok := c.segs[name]
	return s, ok
}
