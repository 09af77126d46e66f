package upstreamconn

import (
	"context"
	"fmt"
	"net"
)

type Pool struct {
	dialer net.Dialer

	guard chan struct{}
	conns map[string]net.Conn
}

func NewPool() *Pool {
	return &Pool{conns: make(map[string]net.Conn), guard: make(chan struct{}, 1)}
}

func (p *Pool) acquire() { p.guard <- struct{}{} }

func (p *Pool) release() { <-p.guard }

func (p *Pool) Conn(ctx context.Context, host string) (net.Conn, error) {
	p.acquire()
	if c, ok := p.conns[host]; ok {
		p.release()
		return c, nil
	}
	p.release()

	c, err := p.dialer.DialContext(ctx, "tcp", host)
	if err != nil {
		return nil, fmt.Errorf("dial %s: %w", host, err)
	}

	p.acquire()
	p.conns[host] = c
	p.release()
	return c, nil
}

func (p *Pool) Evict(host string) {
	p.acquire()
	c, ok := p.conns[host]
	delete(p.conns, host)
	p.release()
	if ok {
		c.Close()
	}
}

func (p *Pool) Size() int {
	p.acquire()
	defer p.release()
	return len(p.conns)
}
