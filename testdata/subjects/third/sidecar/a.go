package sidecar

import (
	"errors"
	"net"
	"sync"
	"time"
)

var errOverflow = errors.New("upstream connection overflow")

type Proxy struct {
	sync.Mutex
	conns    int
	maxConns int
	clusters map[string]*Cluster
}

type Cluster struct {
	parent *Proxy
	addr   string
}

type tracked struct {
	net.Conn
	once   sync.Once
	parent *Proxy
}

func NewProxy(maxConns int, addrs map[string]string) *Proxy {
	p := &Proxy{maxConns: maxConns, clusters: map[string]*Cluster{}}
	for name, a := range addrs {
		p.clusters[name] = &Cluster{parent: p, addr: a}
	}
	return p
}

func (c *Cluster) connect(timeout time.Duration) (net.Conn, error) {
	c.parent.Lock()
	overflow := c.parent.conns >= c.parent.maxConns
	c.parent.Unlock()
	if overflow {
		return nil, errOverflow
	}

	raw, err := net.DialTimeout("tcp", c.addr, timeout)
	if err != nil {
		return nil, err
	}
	c.parent.Lock()
	c.parent.conns++
	c.parent.Unlock()
	return &tracked{Conn: raw, parent: c.parent}, nil
}

func (t *tracked) Close() error {
	t.once.Do(func() {
		t.parent.Lock()
		t.parent.conns--
		t.parent.Unlock()
	})
	return t.Conn.Close()
}

func (p *Proxy) Dial(name string, timeout time.Duration) (net.Conn, error) {
	if c := p.clusters[name]; c != nil {
		return c.connect(timeout)
	}
	return nil, errors.New("no cluster " + name)
}
