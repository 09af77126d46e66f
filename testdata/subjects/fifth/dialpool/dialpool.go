package dialpool

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
)

var ErrClosed = errors.New("dialpool: closed")

type Dialer interface {
	DialContext(ctx context.Context, network, addr string) (net.Conn, error)
}

// Pool bounds the number of connections to one address.
type Pool struct {
	addr   string
	dialer Dialer
	max    int

	mu      sync.Mutex
	changed chan struct{}
	idle    []net.Conn
	open    int
	closed  bool
}

func New(addr string, max int, d Dialer) *Pool {
	return &Pool{addr: addr, max: max, dialer: d, changed: make(chan struct{})}
}

// signalLocked wakes everybody in waitLocked.
func (p *Pool) signalLocked() {
	close(p.changed)
	p.changed = make(chan struct{})
}

// waitLocked gives up p.mu until the pool changes or ctx ends.
func (p *Pool) waitLocked(ctx context.Context) error {
	ch := p.changed
	p.mu.Unlock()
	defer p.mu.Lock()
	select {
	case <-ch:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Get returns an idle connection, a new one, or waits for one.
func (p *Pool) Get(ctx context.Context) (net.Conn, error) {
	p.mu.Lock()
	for {
		if p.closed {
			p.mu.Unlock()
			return nil, ErrClosed
		}
		if n := len(p.idle); n > 0 {
			c := p.idle[n-1]
			p.idle = p.idle[:n-1]
			p.mu.Unlock()
			return c, nil
		}
		if p.open < p.max {
			break
		}
		if err := p.waitLocked(ctx); err != nil {
			p.mu.Unlock()
			return nil, fmt.Errorf("dialpool %s: %w", p.addr, err)
		}
	}
	p.open++
	p.mu.Unlock()

	c, err := p.dialer.DialContext(ctx, "tcp", p.addr)
	if err != nil {
		p.forget()
		return nil, fmt.Errorf("dialpool %s: %w", p.addr, err)
	}
	return c, nil
}

func (p *Pool) forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.open--
	p.signalLocked()
}

// Put gives a connection back. A broken one is closed and makes room.
func (p *Pool) Put(c net.Conn, broken bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if broken || p.closed {
		p.open--
		c.Close()
	} else {
		p.idle = append(p.idle, c)
	}
	p.signalLocked()
}

// Close closes idle connections; those in use are closed when they come back.
func (p *Pool) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return
	}
	p.closed = true
	for _, c := range p.idle {
		c.Close()
	}
	p.open -= len(p.idle)
	p.idle = nil
	p.signalLocked()
}
