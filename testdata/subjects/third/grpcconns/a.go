package grpcconns

import (
	"context"
	"fmt"
	"net"
	"sync"
)

type Conns struct {
	dial func(ctx context.Context, network, addr string) (net.Conn, error)

	sync.RWMutex
	open map[string]net.Conn
}

func New(d *net.Dialer) *Conns {
	return &Conns{dial: d.DialContext, open: make(map[string]net.Conn)}
}

func (c *Conns) peek(addr string) (net.Conn, bool) {
	c.RLock()
	defer c.RUnlock()
	conn, ok := c.open[addr]
	return conn, ok
}

func (c *Conns) Get(ctx context.Context, addr string) (net.Conn, error) {
	if conn, ok := c.peek(addr); ok {
		return conn, nil
	}
	conn, err := c.dial(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("connect %s: %w", addr, err)
	}

	c.Lock()
	defer c.Unlock()
	if first, ok := c.open[addr]; ok {
		conn.Close()
		return first, nil
	}
	c.open[addr] = conn
	return conn, nil
}

func (c *Conns) Drop(addr string) error {
	c.Lock()
	conn, ok := c.open[addr]
	delete(c.open, addr)
	c.Unlock()
	if !ok {
		return nil
	}
	return conn.Close()
}
