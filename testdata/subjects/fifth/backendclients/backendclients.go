package backendclients

import (
	"errors"
	"fmt"
	"io"
	"log"
	"sync"
)

var ErrPoolClosed = errors.New("backendclients: pool closed")

// Client is what the balancer needs of a backend connection.
type Client interface {
	io.Closer
	Ping() error
}

type Factory func(addr string) (Client, error)

type Pool struct {
	dial Factory

	rw      sync.RWMutex
	clients map[string]Client
	closed  bool
}

func NewPool(f Factory) *Pool {
	return &Pool{dial: f, clients: map[string]Client{}}
}

// Client returns the shared client of addr and connects on first use.
func (p *Pool) Client(addr string) (Client, error) {
	p.rw.RLock()
	c, ok := p.clients[addr]
	down := p.closed
	p.rw.RUnlock()
	if down {
		return nil, ErrPoolClosed
	}
	if ok {
		return c, nil
	}

	c, err := p.dial(addr)
	if err != nil {
		return nil, fmt.Errorf("connect %s: %w", addr, err)
	}
	if err := c.Ping(); err != nil {
		c.Close()
		return nil, fmt.Errorf("ping %s: %w", addr, err)
	}

	p.rw.Lock()
	defer p.rw.Unlock()
	if p.closed {
		c.Close()
		return nil, ErrPoolClosed
	}
	p.clients[addr] = c
	log.Printf("backend %s connected", addr)
	return c, nil
}

// Retain closes the clients of all backends that left the cluster.
func (p *Pool) Retain(addrs []string) {
	keep := make(map[string]struct{}, len(addrs))
	for _, a := range addrs {
		keep[a] = struct{}{}
	}
	var gone []Client
	p.rw.Lock()
	for a, c := range p.clients {
		if _, ok := keep[a]; !ok {
			gone = append(gone, c)
			delete(p.clients, a)
		}
	}
	p.rw.Unlock()
	for _, c := range gone {
		if err := c.Close(); err != nil {
			log.Printf("close backend: %v", err)
		}
	}
}

func (p *Pool) Close() error {
	p.rw.Lock()
	defer p.rw.Unlock()
	if p.closed {
		return nil
	}
	p.closed = true
	var errs []error
	for _, c := range p.clients {
		errs = append(errs, c.Close())
	}
	clear(p.clients)
	return errors.Join(errs...)
}
