// Package logfn has a function for lines of a log.
package logfn

import (
	"sync"
	"sync/atomic"
)

// Client logs by a function.
type Client struct {
	closed atomic.Bool
	mu     sync.Mutex
	logf   func(string)
	n      int
}

// New makes one.
func New() *Client { return &Client{logf: func(string) {}} }

// SetLogger sets it. Right: a function for lines is nothing that has to be ended: one that is
// set at the very end is not called, or is, and nothing is lost but where one line goes.
func (c *Client) SetLogger(f func(string)) {
	if c.closed.Load() {
		return
	}
	c.mu.Lock()
	c.logf = f
	c.mu.Unlock()
}

// Do counts.
func (c *Client) Do() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
	c.logf("did")
}

// Close ends it.
func (c *Client) Close() {
	if c.closed.Swap(true) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.logf("closed")
	c.n = 0
}
