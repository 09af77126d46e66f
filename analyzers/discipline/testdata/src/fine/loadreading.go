package fine

import (
	"sync"
	"time"
)

// Coffer remembers when each thing was last asked for, under the lock for writing.
type Coffer struct {
	lock  *sync.RWMutex
	items map[string]string
	asked map[string]time.Time
}

func (c *Coffer) Load(key string) (string, bool) {
	c.lock.RLock()
	item, ok := c.items[key]
	c.lock.RUnlock()
	if ok {
		c.lock.Lock()
		c.asked[key] = time.Now()
		c.lock.Unlock()
	}
	return item, ok
}

func (c *Coffer) Store(key, item string) {
	c.lock.Lock()
	c.items[key] = item
	c.asked[key] = time.Now()
	c.lock.Unlock()
}

// Chests has one map for each half of the keys, and a lock for each.
type Chests struct {
	of    *sync.RWMutex
	inner sync.Mutex
	asked map[string]int
}

func (c *Chests) Load(key string) int {
	c.of.RLock()
	defer c.of.RUnlock()
	c.inner.Lock()
	defer c.inner.Unlock()
	c.asked[key]++
	return c.asked[key]
}

func (c *Chests) Store(key string, n int) {
	c.of.Lock()
	defer c.of.Unlock()
	c.inner.Lock()
	defer c.inner.Unlock()
	c.asked[key] = n
}
