// Package mustend refuses a second end loudly, before anything is closed.
package mustend

import (
	"sync"
	"sync/atomic"
)

// Client has a goroutine of its own.
type Client struct {
	mu    sync.Mutex
	n     int
	ended atomic.Bool
	stop  chan struct{}
}

// New starts one.
func New() *Client {
	c := &Client{stop: make(chan struct{})}
	go c.loop()
	return c
}

func (c *Client) loop() { <-c.stop }

// Do counts.
func (c *Client) Do() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
}

// mustBeFirst lets one caller by.
func (c *Client) mustBeFirst() {
	if !c.ended.CompareAndSwap(false, true) {
		panic("mustend: client is used after its end")
	}
}

// Close ends the client.
//
// Right: mustBeFirst lets exactly one caller through to the close; the others get the
// package's own panic, as everywhere else after the end.
func (c *Client) Close() error {
	c.mustBeFirst()
	close(c.stop)
	return nil
}
