// Package doublechecked looks without the lock at what it looks at again with it.
package doublechecked

import (
	"sync"
	"sync/atomic"
)

type Conn struct{ addr string }

func dial(addr string) *Conn { return &Conn{addr} }

type Pool struct {
	mu    sync.Mutex
	conns map[string]*Conn
	main  *Conn
	last  atomic.Pointer[Conn]
	seen  map[string]bool
}

func (p *Pool) Get(addr string) *Conn {
	if c, ok := p.conns[addr]; ok { // want `p.conns\[addr\] is looked at here without p.mu, under which it is looked at again and written: .* ends the program`
		return c
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if c, ok := p.conns[addr]; ok {
		return c
	}
	c := dial(addr)
	p.conns[addr] = c
	return c
}

func (p *Pool) Main() *Conn {
	if p.main == nil { // want `p.main is looked at here without p.mu, .* see the new value before what it refers to`
		p.mu.Lock()
		if p.main == nil {
			p.main = dial("main")
		}
		p.mu.Unlock()
	}
	return p.main
}

// Last looks at an atomic first: that is how it is meant.
func (p *Pool) Last() *Conn {
	if c := p.last.Load(); c != nil {
		return c
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if c := p.last.Load(); c != nil {
		return c
	}
	c := dial("last")
	p.last.Store(c)
	return c
}

// note is called with the lock held.
func (p *Pool) note(addr string) bool {
	if p.seen[addr] {
		return true
	}
	p.seen[addr] = true
	return false
}

func (p *Pool) Note(addr string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.note(addr)
}

// New has the pool for itself.
func New() *Pool {
	p := &Pool{conns: map[string]*Conn{}, seen: map[string]bool{}}
	if p.main == nil {
		p.mu.Lock()
		if p.main == nil {
			p.main = dial("main")
		}
		p.mu.Unlock()
	}
	return p
}
