// Package wire is used by the packages of depot.
package wire

import (
	"io"
	"sync"
)

// Link carries requests.
type Link struct {
	mu   sync.Mutex
	n    int
	conn io.Closer
	done chan struct{}
}

// NewLink makes one.
func NewLink(conn io.Closer) *Link {
	return &Link{conn: conn, done: make(chan struct{})}
}

// Send sends one request.
func (l *Link) Send() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.n++
}

// Close waits for the request that is under way.
func (l *Link) Close() error {
	close(l.done) // want `l.done is closed without a look whether it is closed already: a second call panics`
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.conn.Close()
}

// Cable is ended by whoever has laid it.
type Cable struct {
	mu   sync.Mutex
	n    int
	conn io.Closer
	done chan struct{}
}

// NewCable makes one.
func NewCable(conn io.Closer) *Cable {
	return &Cable{conn: conn, done: make(chan struct{})}
}

// Send sends one request.
func (c *Cable) Send() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
}

// Close ends it.
func (c *Cable) Close() error {
	close(c.done)
	return c.conn.Close()
}
