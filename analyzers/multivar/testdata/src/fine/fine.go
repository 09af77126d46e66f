// Package fine handles variables in several critical sections, and may.
package fine

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
	seen  int
}

func (c *Channel) Open(x *conn) {
	c.mu.Lock()
	c.conn = x
	c.state = 1
	c.mu.Unlock()
	c.mu.Lock()
	c.seen++
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

// Run looks again in the second critical section.
func (f *Folders) Run(k string) int {
	f.mu.RLock()
	_, ok := f.configs[k]
	f.mu.RUnlock()
	if !ok {
		return 0
	}
	f.mu.RLock()
	defer f.mu.RUnlock()
	if _, ok := f.configs[k]; !ok {
		return 0
	}
	return f.runners[k].Close()
}

type set map[int]bool

type Cache struct {
	mu      sync.Mutex
	frozen  atomic.Pointer[set]
	mutable set
}

func (c *Cache) Freeze() {
	c.mu.Lock()
	defer c.mu.Unlock()
	m := c.mutable
	c.frozen.Store(&m)
	c.mutable = set{}
}

// Has looks again under the lock.
func (c *Cache) Has(k int) bool {
	if (*c.frozen.Load())[k] {
		return true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if (*c.frozen.Load())[k] {
		return true
	}
	m := c.mutable
	return m[k]
}

// Pool counts and closes in one, and prunes on its own terms.
type Pool struct {
	mu     sync.Mutex
	idle   []int
	closed bool
	active int
	err    error
	ready  chan int
}

func (p *Pool) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle = nil
	p.closed = true
	p.active = 0
	p.err = errClosed
}

type closedError struct{}

func (closedError) Error() string { return "closed" }

var errClosed error = closedError{}

// Get looks at each variable in the critical section that uses it.
func (p *Pool) Get() int {
	p.mu.Lock()
	n := 0
	if len(p.idle) > 0 {
		n = p.idle[0]
	}
	p.mu.Unlock()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return 0
	}
	p.active--
	return n
}

// Wait means others to change what it has seen.
func (p *Pool) Wait() error {
	p.mu.Lock()
	if len(p.idle) > 0 {
		p.mu.Unlock()
		return nil
	}
	p.mu.Unlock()
	<-p.ready
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err
}

// Next looks at the error before it returns it.
func (p *Pool) Next() error {
	p.mu.Lock()
	n := len(p.idle)
	p.mu.Unlock()
	if n > 0 {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err != nil {
		return p.err
	}
	return nil
}
