package resolverpool

import (
	"net"
	"sync"
	"time"
)

type Pool struct {
	mu    sync.RWMutex
	conns map[string]net.Conn
}

func NewPool() *Pool { return &Pool{conns: make(map[string]net.Conn)} }

func (p *Pool) upstream(server string) (net.Conn, error) {
	p.mu.RLock()
	c, ok := p.conns[server]
	p.mu.RUnlock()
	if ok {
		return c, nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	c, err := net.DialTimeout("udp", server, 2*time.Second)
	if err != nil {
		return nil, err
	}
	p.conns[server] = c
	return c, nil
}

func (p *Pool) Query(server string, msg []byte) error {
	c, err := p.upstream(server)
	if err != nil {
		return err
	}
	_, err = c.Write(msg)
	return err
}

func (p *Pool) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	var first error
	for name, c := range p.conns {
		if err := c.Close(); err != nil && first == nil {
			first = err
		}
		delete(p.conns, name)
	}
	return first
}
