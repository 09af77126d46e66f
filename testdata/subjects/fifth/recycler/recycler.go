// Package recycler is a blob cache that reuses the memory of evicted blobs.
package recycler

import (
	"container/list"
	"sync"
	"time"
)

type blob struct {
	key     string
	buf     []byte
	expires time.Time
	elem    *list.Element
}

func (b *blob) reset() {
	b.key = ""
	b.buf = b.buf[:0]
	b.elem = nil
}

type Cache struct {
	budget int
	ttl    time.Duration
	pool   sync.Pool

	mutex sync.Mutex
	index map[string]*blob
	order *list.List // oldest in front
	size  int
}

func New(budget int, ttl time.Duration) *Cache {
	c := &Cache{budget: budget, ttl: ttl, index: make(map[string]*blob), order: list.New()}
	c.pool.New = func() any { return &blob{buf: make([]byte, 0, 1024)} }
	return c
}

// Put copies data into the cache.
func (c *Cache) Put(key string, data []byte) bool {
	if len(data) > c.budget {
		return false
	}
	b := c.pool.Get().(*blob)
	b.key = key
	b.buf = append(b.buf, data...)
	b.expires = time.Now().Add(c.ttl)

	c.mutex.Lock()
	defer c.mutex.Unlock()
	if old, ok := c.index[key]; ok {
		c.evictLocked(old)
	}
	for c.size+len(b.buf) > c.budget {
		c.evictLocked(c.order.Front().Value.(*blob))
	}
	b.elem = c.order.PushBack(b)
	c.index[key] = b
	c.size += len(b.buf)
	return true
}

// Append copies the blob to the end of dst.
func (c *Cache) Append(dst []byte, key string) ([]byte, bool) {
	c.mutex.Lock()
	b, ok := c.index[key]
	if ok && time.Now().After(b.expires) {
		c.evictLocked(b)
		ok = false
	}
	if !ok {
		c.mutex.Unlock()
		return dst, false
	}
	c.order.MoveToBack(b.elem)
	c.mutex.Unlock()

	return append(dst, b.buf...), true
}

func (c *Cache) Delete(key string) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if b, ok := c.index[key]; ok {
		c.evictLocked(b)
	}
}

func (c *Cache) evictLocked(b *blob) {
	c.order.Remove(b.elem)
	delete(c.index, b.key)
	c.size -= len(b.buf)
	b.reset()
	c.pool.Put(b)
}

// Expire drops all blobs whose time is over and says how many.
func (c *Cache) Expire(now time.Time) int {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	n := 0
	for _, b := range c.index {
		if now.After(b.expires) {
			c.evictLocked(b)
			n++
		}
	}
	return n
}
