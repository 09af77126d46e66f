// Package gencount stores what is dialed only for the generation that it was dialed for.
package gencount

import (
	"errors"
	"io"
	"sync"
	"sync/atomic"
)

var errClosed = errors.New("closed")

// Client dials with a context that ends with it.
type Client struct {
	closed atomic.Bool
	gen    atomic.Int64
	mu     sync.Mutex
	conn   io.Closer
	dial   func() (io.Closer, error)
}

// New makes one.
func New(dial func() (io.Closer, error)) *Client { return &Client{dial: dial} }

// Reconnect dials. Right: Close raises gen under mu after it has set closed, so that what was
// dialed before is not stored but closed.
func (c *Client) Reconnect() error {
	gen := c.gen.Load()
	if c.closed.Load() {
		return errClosed
	}
	conn, err := c.dial()
	if err != nil {
		return err
	}
	if !c.install(conn, gen) {
		conn.Close()
		return errClosed
	}
	return nil
}

func (c *Client) install(conn io.Closer, gen int64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.gen.Load() != gen {
		return false
	}
	if c.conn != nil {
		c.conn.Close()
	}
	c.conn = conn
	return true
}

// Close ends it.
func (c *Client) Close() {
	c.closed.Store(true)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.gen.Add(1)
	if c.conn != nil {
		c.conn.Close()
		c.conn = nil
	}
}
