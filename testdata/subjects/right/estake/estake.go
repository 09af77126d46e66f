// Package estake takes all that has come since the last time.
package estake

import (
	"sync"
	"time"
)

// Counts are flushed by one goroutine.
type Counts struct {
	mu   sync.Mutex
	now  map[string]int
	emit func(string, int)
}

// New starts the flushing.
func New(emit func(string, int)) *Counts {
	c := &Counts{now: map[string]int{}, emit: emit}
	go c.loop()
	return c
}

// Add counts.
func (c *Counts) Add(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now[name]++
}

func (c *Counts) reset() { c.now = make(map[string]int) }

// take returns the map, and puts an empty one in its place.
func (c *Counts) take() map[string]int {
	c.mu.Lock()
	defer c.mu.Unlock()
	defer c.reset()
	return c.now
}

// swap does so with a named result.
func (c *Counts) swap() (old map[string]int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	old, c.now = c.now, map[string]int{}
	return
}

func (c *Counts) loop() {
	for range time.Tick(time.Second) {
		for name, n := range c.take() {
			c.emit(name, n)
		}
	}
}

// Flush flushes at once.
func (c *Counts) Flush() {
	for name, n := range c.swap() {
		c.emit(name, n)
	}
}
