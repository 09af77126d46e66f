package originpool

import (
	"context"
	"net"
	"sync"
)

type Pool struct {
	network string
	d       net.Dialer

	mu    sync.Mutex
	conns map[string]net.Conn
}

func New(network string) *Pool {
	return &Pool{network: network, conns: map[string]net.Conn{}}
}

func (p *Pool) Get(ctx context.Context, addr string) (net.Conn, error) {
	p.mu.Lock()
	if c, ok := p.conns[addr]; ok {
		p.mu.Unlock()
		return c, nil
	}
	p.mu.Unlock()

	fresh, err := p.d.DialContext(ctx, p.network, addr)
	if err != nil {
		return nil, err
	}

	p.mu.Lock()
	defer p.mu.Unlock()
	if c, ok := p.conns[addr]; ok {
		_ = fresh.Close()
		return c, nil
	}
	p.conns[addr] = fresh
	return fresh, nil
}

func (p *Pool) CloseAll() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for a, c := range p.conns {
		_ = c.Close()
		delete(p.conns, a)
	}
}
