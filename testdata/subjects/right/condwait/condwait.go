// Package condwait waits for those who dial.
package condwait

import (
	"errors"
	"io"
	"sync"
)

var errClosed = errors.New("closed")

// Client dials again.
type Client struct {
	mu      sync.Mutex
	calm    *sync.Cond
	dialing int
	closed  bool
	conn    io.Closer
	dial    func() (io.Closer, error)
}

// New makes one.
func New(dial func() (io.Closer, error)) *Client {
	c := &Client{dial: dial}
	c.calm = sync.NewCond(&c.mu)
	return c
}

// Reconnect dials. Right: it counts itself in where it finds the client open, and Close waits
// until nobody dials before it looks at conn.
func (c *Client) Reconnect() error {
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		return errClosed
	}
	c.dialing++
	c.mu.Unlock()
	conn, err := c.dial()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.dialing--
	c.calm.Broadcast()
	if err != nil {
		return err
	}
	if c.conn != nil {
		return conn.Close()
	}
	c.conn = conn
	return nil
}

// Close ends it.
func (c *Client) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	for c.dialing > 0 {
		c.calm.Wait()
	}
	if c.conn != nil {
		c.conn.Close()
	}
}
