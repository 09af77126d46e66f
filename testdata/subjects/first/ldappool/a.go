package ldappool

import (
	"errors"
	"net"
	"sync"
)

var ErrLimit = errors.New("ldappool: connection limit reached")

type Pool struct {
	dial func() (net.Conn, error)
	max  int

	mu   sync.Mutex
	open int
	free []net.Conn
}

func New(max int, dial func() (net.Conn, error)) *Pool {
	return &Pool{max: max, dial: dial}
}

func (p *Pool) Get() (net.Conn, error) {
	p.mu.Lock()
	if k := len(p.free) - 1; k >= 0 {
		c := p.free[k]
		p.free = p.free[:k]
		p.mu.Unlock()
		return c, nil
	}
	if p.open >= p.max {
		p.mu.Unlock()
		return nil, ErrLimit
	}
	p.open++
	p.mu.Unlock()

	c, err := p.dial()
	if err != nil {
		p.mu.Lock()
		p.open--
		p.mu.Unlock()
		return nil, err
	}
	return c, nil
}

func (p *Pool) Put(c net.Conn, healthy bool) {
	if !healthy {
		c.Close()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if healthy {
		p.free = append(p.free, c)
	} else {
		p.open--
	}
}
