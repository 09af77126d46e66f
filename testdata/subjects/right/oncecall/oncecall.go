// Package oncecall ends by a function that Close calls once.
package oncecall

import (
	"errors"
	"sync"
	"sync/atomic"
)

// Client ends in a Once.
type Client struct {
	mu    sync.Mutex
	n     int
	once  sync.Once
	err   error
	ended atomic.Bool
	stop  chan struct{}
}

// New makes one.
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

// Close ends it. Right: close runs in the Once.
func (c *Client) Close() error {
	c.once.Do(func() { c.err = c.close() })
	return c.err
}

func (c *Client) close() error {
	c.ended.Store(true)
	close(c.stop)
	return nil
}

// Queue ends under its lock.
type Queue struct {
	mu     sync.Mutex
	n      int
	closed bool
	over   atomic.Bool
	stop   chan struct{}
}

// NewQueue makes one.
func NewQueue() *Queue {
	q := &Queue{stop: make(chan struct{})}
	go func() { <-q.stop }()
	return q
}

// Put counts.
func (q *Queue) Put() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.n++
}

func (q *Queue) markClosed() error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return errors.New("closed")
	}
	q.closed = true
	return nil
}

// Close ends it. Right: one call comes by markClosed.
func (q *Queue) Close() error {
	if err := q.markClosed(); err != nil {
		return err
	}
	return q.shutdown()
}

func (q *Queue) shutdown() error {
	q.over.Store(true)
	close(q.stop)
	return nil
}
