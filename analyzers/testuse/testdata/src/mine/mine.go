// Package mine has objects of one goroutine each. It is not safe to use the same Client
// from multiple goroutines.
package mine

import (
	"sync"
	"sync/atomic"
)

// Client says so only in the comment of the package.
type Client struct {
	mu    sync.Mutex
	state int
}

// State is what the reader has found out, too.
func (c *Client) State() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.state
}

func (c *Client) set(state int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.state = state
}

// Dial starts the reader.
func Dial() *Client {
	c := &Client{}
	go func() {
		for {
			c.set(3)
		}
	}()
	return c
}

// Login is called by the one goroutine that uses the client.
func (c *Client) Login() {
	if c.State() != 0 {
		return
	}
	c.set(1)
}

// Consumer has a loop of its own, which its constructor starts.
type Consumer struct {
	state atomic.Int32
	ask   chan chan int
	done  chan struct{}
}

// State is for everybody.
func (c *Consumer) State() int { return int(c.state.Load()) }

func (c *Consumer) loop() {
	for range c.ask {
		c.close()
	}
}

func (c *Consumer) close() {
	if c.State() == 2 {
		return
	}
	c.state.Store(2)
	close(c.done)
}

func consumer() *Consumer {
	c := &Consumer{ask: make(chan chan int), done: make(chan struct{})}
	go c.loop()
	return c
}

// Consumers makes them in goroutines.
func Consumers(n int) {
	for range n {
		go consumer()
	}
}

// Table is changed by what is posted to the loop alone.
type Table struct {
	names atomic.Pointer[map[string]int]
	posts chan func()
}

// Run is the loop.
func (t *Table) Run() {
	go func() {
		for f := range t.posts {
			f()
		}
	}()
}

func (t *Table) post(f func()) {
	done := make(chan struct{})
	select {
	case t.posts <- func() { defer close(done); f() }:
		<-done
	default:
	}
}

// Add has a copy changed by the loop.
func (t *Table) Add(name string) {
	t.post(func() {
		next := map[string]int{}
		for k, v := range *t.names.Load() {
			next[k] = v
		}
		next[name]++
		t.names.Store(&next)
	})
}
