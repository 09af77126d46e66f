package sharedconn

import (
	"context"
	"net"
	"sync"
	"sync/atomic"
)

type Conn struct {
	net.Conn
	key  string
	refs atomic.Int32
}

type Cache struct {
	mu    sync.Mutex
	conns map[string]*Conn
	d     net.Dialer
}

func NewCache() *Cache {
	return &Cache{conns: make(map[string]*Conn)}
}

func (c *Cache) Get(ctx context.Context, addr string) (*Conn, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if sc, ok := c.conns[addr]; ok {
		sc.refs.Add(1)
		return sc, nil
	}
	nc, err := c.d.DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	sc := &Conn{Conn: nc, key: addr}
	sc.refs.Store(1)
	c.conns[addr] = sc
	return sc, nil
}

func (c *Cache) Put(sc *Conn) error {
	if sc.refs.Add(-1) > 0 {
		return nil
	}
	c.mu.Lock()
	delete(c.conns, sc.key)
	c.mu.Unlock()
	return sc.Close()
}

func (c *Cache) Len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.conns)
}
