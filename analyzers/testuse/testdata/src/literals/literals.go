// Package literals has critical sections in function literals that are called in
// place, and getters that answer with an error.
package literals

import (
	"errors"
	"sync"
)

var errClosed = errors.New("closed")

type conn struct{ users int }

type Pool struct {
	mu     sync.Mutex
	conns  map[string]*conn
	closed bool
	done   chan struct{}
}

// Get makes a literal for the sake of its deferred Unlock.
func (p *Pool) Get(addr string) *conn {
	c := func() *conn {
		p.mu.Lock()
		defer p.mu.Unlock()
		return p.conns[addr] // want `both pass the test of p.conns\[addr\] and both set it: p.mu is released in between`
	}()
	if c != nil {
		return c
	}
	c = &conn{}
	c.users++
	p.mu.Lock()
	p.conns[addr] = c
	p.mu.Unlock()
	return c
}

// Put gives a connection back.
func (p *Pool) Put(c *conn) {
	p.mu.Lock()
	c.users--
	p.mu.Unlock()
}

// Close tells the function around what it has read.
func (p *Pool) Close() {
	var closed bool
	func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		closed = p.closed // want `both pass the test of p.closed and close p.done twice: p.mu is released in between`
	}()
	if closed {
		return
	}
	func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.closed = true
		close(p.done)
	}()
}

// Stop looks again.
func (p *Pool) Stop() {
	look := func() bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		return p.closed
	}
	if look() {
		return
	}
	func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.closed {
			return
		}
		p.closed = true
		close(p.done)
	}()
}

func (p *Pool) locked(f func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	f()
}

// Shut does everything under the lock of locked.
func (p *Pool) Shut() {
	p.locked(func() {
		if p.closed {
			return
		}
		p.closed = true
		close(p.done)
	})
}

// End does not.
func (p *Pool) End() {
	over := false
	p.locked(func() { over = p.closed }) // want `both pass the test of p.closed and close p.done twice: p.mu is released in between`
	if over {
		return
	}
	p.locked(func() {
		p.closed = true
		close(p.done)
	})
}

func (p *Pool) check() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return errClosed
	}
	return nil
}

// Finish learns by an error.
func (p *Pool) Finish() error {
	if err := p.check(); err != nil { // want `both pass the test of p.closed \(in p.check\) and close p.done twice`
		return err
	}
	p.mu.Lock()
	p.closed = true
	close(p.done)
	p.mu.Unlock()
	return nil
}
