// Package broken tears variables apart that belong together.
package broken

import (
	"sync"
	"sync/atomic"
)

type conn struct{ n int }

func (c *conn) Close() int { return c.n }

type Channel struct {
	mu    sync.Mutex
	state int
	conn  *conn
}

// Open sets the state before what the state promises.
func (c *Channel) Open(x *conn) {
	c.mu.Lock()
	c.state = 1 // want `c.state is set in an earlier critical section than c.conn`
	c.mu.Unlock()
	c.attach(x)
}

func (c *Channel) attach(x *conn) {
	c.mu.Lock()
	c.conn = x
	c.mu.Unlock()
}

func (c *Channel) Close() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state != 1 {
		return 0
	}
	c.state = 2
	return c.conn.Close()
}

type Folders struct {
	mu      sync.RWMutex
	configs map[string]string
	runners map[string]*conn
}

func (f *Folders) Add(k, v string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.configs[k] = v
	f.runners[k] = &conn{}
}

func (f *Folders) Remove(k string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.configs, k)
	delete(f.runners, k)
}

// Run relies on the runner because there was a configuration.
func (f *Folders) Run(k string) int {
	f.mu.RLock()
	_, ok := f.configs[k] // want `f.configs was tested in an earlier critical section than the one where f.runners is read`
	f.mu.RUnlock()
	if !ok {
		return 0
	}
	f.mu.RLock()
	r := f.runners[k]
	f.mu.RUnlock()
	return r.Close()
}

type set map[int]bool

type Cache struct {
	mu      sync.Mutex
	frozen  atomic.Pointer[set]
	mutable set
}

func (c *Cache) freeze() {
	c.mu.Lock()
	defer c.mu.Unlock()
	m := c.mutable
	c.frozen.Store(&m)
	c.mutable = set{}
}

func (c *Cache) Freeze() { c.freeze() }

// Has misses what moves from the one to the other.
func (c *Cache) Has(k int) bool {
	frozen := c.frozen.Load() // want `c.frozen was tested in an earlier critical section`
	if (*frozen)[k] {
		return true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	m := c.mutable
	return m[k]
}
