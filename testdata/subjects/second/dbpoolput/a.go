package dbpoolput

import (
	"errors"
	"sync"
)

type Conn interface {
	Close() error
	Healthy() bool
}

type Pool struct {
	sync.Mutex
	idle []Conn
	max  int
	dial func() (Conn, error)
}

func NewPool(max int, dial func() (Conn, error)) (*Pool, error) {
	if dial == nil {
		return nil, errors.New("dbpoolput: no dialer")
	}
	return &Pool{max: max, dial: dial}, nil
}

func (p *Pool) Len() int {
	p.Lock()
	defer p.Unlock()
	return len(p.idle)
}

func (p *Pool) Get() (Conn, error) {
	p.Lock()
	if n := len(p.idle); n > 0 {
		c := p.idle[n-1]
		p.idle = p.idle[:n-1]
		p.Unlock()
		return c, nil
	}
	p.Unlock()
	return p.dial()
}

func (p *Pool) Put(c Conn) error {
	if !c.Healthy() || p.Len() >= p.max {
		return c.Close()
	}
	p.Lock()
	p.idle = append(p.idle, c)
	p.Unlock()
	return nil
}
