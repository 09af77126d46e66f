// Package client breaks the sections of package store, and keeps some.
package client

import (
	"sync"

	"across/store"
)

// Client can be used by several goroutines.
type Client struct {
	mu    sync.Mutex
	store *store.Store
	other *store.Store
}

func (c *Client) Increment() {
	v := c.store.Get() // want `two goroutines can both read c.store.value \(in c.store.Get\) before either stores it, and one update is lost: c.store.mu is released in between`
	c.store.Set(v + 1)
}

func (c *Client) IncrementDeep() {
	c.store.Set(c.store.Value() + 1) // want `c.store.value \(in c.store.Value\)`
}

func (c *Client) Double(name string) {
	v, ok := c.store.Lookup(name) // want `c.store.byName`
	if !ok {
		return
	}
	c.store.Insert(name, 2*v)
}

func (c *Client) Close() {
	if !c.store.IsClosed() { // want `two goroutines can both pass the test of c.store.closed \(in c.store.IsClosed\)`
		c.store.Close()
	}
}

func (c *Client) Raise() {
	c.store.SetLevel(c.store.Level() + 1) // want `c.store.level \(in c.store.Level\).*two atomic operations are not one`
}

func (c *Client) Flush() {
	c.store.Lock()
	defer c.store.Unlock()
	v := c.store.GetLocked() // want `c.store.mu is released in between`
	c.store.FlushLocked()
	c.store.SetLocked(v + 1)
}

func (c *Client) Wrapped() {
	store.Hold(c.store)
	v := c.store.GetLocked() // want `c.store.mu is released in between`
	store.Drop(c.store)
	store.Hold(c.store)
	c.store.SetLocked(v + 1)
	store.Drop(c.store)
}

func Register(name string) {
	if !store.Registered(name) { // want `registry`
		store.Register(name, 1)
	}
}

func Count() int {
	n := 0
	var wg sync.WaitGroup
	for range 10 {
		wg.Add(1)
		store.Background(func() {
			defer wg.Done()
			n++ // want `two goroutines can both read n`
		})
	}
	wg.Wait()
	return n
}

// What follows is right.

func (c *Client) OtherInstance() {
	c.other.Set(c.store.Get() + 1)
}

func (c *Client) OtherKey(a, b string) {
	v, _ := c.store.Lookup(a)
	c.store.Insert(b, v+1)
}

func (c *Client) NoFlow() {
	if c.store.Get() > 1 {
		println("large")
	}
	c.store.Set(7)
}

func (c *Client) CloseOnce() {
	if !c.store.IsClosed() {
		c.store.CloseOnce()
	}
}

func (c *Client) Protected() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.store.Set(c.store.Get() + 1)
}

func (c *Client) InOneStep() {
	c.store.Lock()
	defer c.store.Unlock()
	c.store.SetLocked(c.store.GetLocked() + 1)
}

func (c *Client) Held() {
	store.Hold(c.store)
	defer store.Drop(c.store)
	c.store.SetLocked(c.store.GetLocked() + 1)
}

func Private() int {
	s := new(store.Store)
	s.Set(s.Get() + 1)
	return s.Get()
}

var current store.Span

// Move works on a copy.
func (c *Client) Move() store.Span {
	return current.Moved(current.From() + 1)
}
