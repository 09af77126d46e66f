// Package oncefuncval ends by a method value in a Once, and by sync.OnceFunc.
package oncefuncval

import "sync"

// A Client is used by many.
type Client struct {
	mu   sync.Mutex
	n    int
	once sync.Once
	stop chan struct{}
}

// New starts one.
func New() *Client {
	c := &Client{stop: make(chan struct{})}
	go func() { <-c.stop }()
	return c
}

// Do counts.
func (c *Client) Do() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
}

func (c *Client) shutdown() { close(c.stop) }

// Close ends it. Right: the Once runs shutdown for the first call alone.
func (c *Client) Close() error {
	c.once.Do(c.shutdown)
	return nil
}

// A Watcher ends by a function that New made.
type Watcher struct {
	mu   sync.Mutex
	n    int
	stop chan struct{}
	end  func() error
}

// NewWatcher starts one.
func NewWatcher() *Watcher {
	w := &Watcher{stop: make(chan struct{})}
	w.end = sync.OnceValue(w.finish)
	go func() { <-w.stop }()
	return w
}

// Do counts.
func (w *Watcher) Do() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.n++
}

func (w *Watcher) finish() error {
	close(w.stop)
	return nil
}

// Close ends it. Right: sync.OnceValue.
func (w *Watcher) Close() error { return w.end() }
