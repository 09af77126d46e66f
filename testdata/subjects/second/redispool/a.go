package redispool

import (
	"errors"
	"net"
	"sync"
)

var ErrExhausted = errors.New("redispool: exhausted")

type Pool struct {
	Dial func() (net.Conn, error)
	Max  int

	mu   sync.Mutex
	open int
	free []net.Conn
}

func (p *Pool) Get() (net.Conn, error) {
	p.mu.Lock()
	if n := len(p.free); n > 0 {
		c := p.free[n-1]
		p.free = p.free[:n-1]
		p.mu.Unlock()
		return c, nil
	}
	if p.open >= p.Max {
		p.mu.Unlock()
		return nil, ErrExhausted
	}
	p.open++
	p.mu.Unlock()

	c, err := p.Dial()
	if err != nil {
		p.mu.Lock()
		p.open--
		p.mu.Unlock()
		return nil, err
	}
	return c, nil
}

func (p *Pool) Put(c net.Conn, broken bool) {
	p.mu.Lock()
	if !broken {
		p.free = append(p.free, c)
		p.mu.Unlock()
		return
	}
	p.open--
	p.mu.Unlock()
	c.Close()
}
