// Package recheck looks again when it has stored.
package recheck

import (
	"errors"
	"io"
	"sync"
	"sync/atomic"
)

var errClosed = errors.New("closed")

// Client dials again.
type Client struct {
	closed atomic.Bool
	mu     sync.Mutex
	conn   io.Closer
	dial   func() (io.Closer, error)
}

// New makes one.
func New(dial func() (io.Closer, error)) *Client { return &Client{dial: dial} }

// Reconnect dials. Right: settle looks at closed again after the store; Close looks at conn
// after it has set closed: one of both sees the other.
func (c *Client) Reconnect() error {
	if c.closed.Load() {
		return errClosed
	}
	conn, err := c.dial()
	if err != nil {
		return err
	}
	c.mu.Lock()
	c.conn = conn
	c.mu.Unlock()
	return c.settle()
}

// settle ends what was stored too late.
func (c *Client) settle() error {
	if !c.closed.Load() {
		return nil
	}
	c.drop()
	return errClosed
}

func (c *Client) drop() {
	c.mu.Lock()
	conn := c.conn
	c.conn = nil
	c.mu.Unlock()
	if conn != nil {
		conn.Close()
	}
}

// Close ends it.
func (c *Client) Close() {
	c.closed.Store(true)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.conn != nil {
		c.conn.Close()
		c.conn = nil
	}
}
