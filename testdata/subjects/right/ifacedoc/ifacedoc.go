// Package ifacedoc has plugins that a host ends.
package ifacedoc

import "sync"

// Plugin is what a host calls.
type Plugin interface {
	// Handle is called for each event, by several goroutines.
	Handle(event string)
	// Close is called exactly once, by the host, after the last Handle has returned.
	Close() error
}

// Counter is a plugin.
type Counter struct {
	mu   sync.Mutex
	n    int
	stop chan struct{}
}

var _ Plugin = (*Counter)(nil)

// NewCounter makes one.
func NewCounter() *Counter {
	c := &Counter{stop: make(chan struct{})}
	go func() { <-c.stop }()
	return c
}

// Handle counts.
func (c *Counter) Handle(string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
}

// Close implements Plugin.
func (c *Counter) Close() error {
	close(c.stop) // right: see Plugin.Close
	return nil
}
