package connlimit

import (
	"fmt"
	"net"
	"sync"
	"sync/atomic"
)

type Listener struct {
	net.Listener
	max      int64
	active   atomic.Int64
	rejected atomic.Int64
}

type Option func(*Listener)

func WithMax(n int64) Option {
	return func(l *Listener) { l.max = n }
}

func Wrap(inner net.Listener, opts ...Option) *Listener {
	l := &Listener{Listener: inner, max: 1024}
	for _, o := range opts {
		o(l)
	}
	return l
}

type conn struct {
	net.Conn
	once    sync.Once
	release func()
}

func (c *conn) Close() error {
	c.once.Do(c.release)
	return c.Conn.Close()
}

func (l *Listener) Accept() (net.Conn, error) {
	for {
		nc, err := l.Listener.Accept()
		if err != nil {
			return nil, fmt.Errorf("connlimit: %w", err)
		}
		if l.active.Load() >= l.max {
			l.rejected.Add(1)
			nc.Close()
			continue
		}
		l.active.Add(1)
		return &conn{Conn: nc, release: func() { l.active.Add(-1) }}, nil
	}
}

func (l *Listener) Active() int64 { return l.active.Load() }
