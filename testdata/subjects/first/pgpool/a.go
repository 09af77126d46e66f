package pgpool

import (
	"context"
	"errors"
	"net"
	"sync"
)

var ErrExhausted = errors.New("pgpool: no connection available")

type Dialer interface {
	DialContext(ctx context.Context, network, addr string) (net.Conn, error)
}

type Pool struct {
	sync.Mutex
	dialer Dialer
	dsn    string
	max    int
	all    []net.Conn
	idle   []net.Conn
}

func NewPool(d Dialer, dsn string, max int) *Pool {
	return &Pool{dialer: d, dsn: dsn, max: max}
}

func (p *Pool) Acquire(ctx context.Context) (net.Conn, error) {
	p.Lock()
	if n := len(p.idle); n > 0 {
		c := p.idle[n-1]
		p.idle = p.idle[:n-1]
		p.Unlock()
		return c, nil
	}
	if len(p.all) >= p.max {
		p.Unlock()
		return nil, ErrExhausted
	}
	p.Unlock()

	c, err := p.dialer.DialContext(ctx, "tcp", p.dsn)
	if err != nil {
		return nil, err
	}

	p.Lock()
	p.all = append(p.all, c)
	p.Unlock()
	return c, nil
}

func (p *Pool) Release(c net.Conn) {
	p.Lock()
	defer p.Unlock()
	p.idle = append(p.idle, c)
}

func (p *Pool) Close() {
	p.Lock()
	defer p.Unlock()
	for _, c := range p.all {
		c.Close()
	}
	p.all, p.idle = nil, nil
}
