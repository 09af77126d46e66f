// Package elpool keeps connections that are used by one caller at a time.
package elpool

import (
	"errors"
	"net"
	"sync"
)

type conn struct {
	nc   net.Conn
	uses int
}

// Pool hands each connection to one caller, who has it alone until Put.
type Pool struct {
	mu   sync.Mutex
	idle []*conn
	open int
	max  int
	dial func() (net.Conn, error)
}

// New returns a pool of at most max connections.
func New(max int, dial func() (net.Conn, error)) *Pool {
	return &Pool{max: max, dial: dial}
}

// Do sends p on a connection of the pool.
func (p *Pool) Do(b []byte) error {
	p.mu.Lock()
	n := len(p.idle)
	if n == 0 {
		if p.open >= p.max {
			p.mu.Unlock()
			return errors.New("elpool: none free")
		}
		p.open++
		p.mu.Unlock()
		nc, err := p.dial()
		if err != nil {
			p.mu.Lock()
			p.open--
			p.mu.Unlock()
			return err
		}
		c := &conn{nc: nc}
		p.put(c)
		return p.Do(b)
	}
	c := p.idle[n-1]
	p.idle = p.idle[:n-1]
	p.mu.Unlock()
	c.uses++ // c is in no list any more
	_, err := c.nc.Write(b)
	p.put(c)
	return err
}

func (p *Pool) put(c *conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle = append(p.idle, c)
}

// Age makes the idle connections count anew.
func (p *Pool) Age() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.idle {
		c.uses = 0
	}
}
