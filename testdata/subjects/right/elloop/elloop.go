// Package elloop checks targets in one goroutine.
package elloop

import (
	"context"
	"sync"
	"time"
)

type target struct {
	addr  string
	fails int // of the loop alone
}

// Checker checks targets in turn.
type Checker struct {
	mu      sync.Mutex
	targets []*target
	down    map[string]bool
	probe   func(string) error
	once    sync.Once
}

// New returns a checker that is not started.
func New(probe func(string) error) *Checker {
	return &Checker{probe: probe, down: map[string]bool{}}
}

// Start starts the one loop.
func (c *Checker) Start(ctx context.Context) {
	c.once.Do(func() { go c.loop(ctx) })
}

// Add adds a target.
func (c *Checker) Add(addr string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.targets = append(c.targets, &target{addr: addr})
}

// Down says whether the target was found down.
func (c *Checker) Down(addr string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.down[addr]
}

func (c *Checker) loop(ctx context.Context) {
	for i := 0; ctx.Err() == nil; i++ {
		c.mu.Lock()
		if len(c.targets) == 0 {
			c.mu.Unlock()
			time.Sleep(time.Second)
			continue
		}
		t := c.targets[i%len(c.targets)]
		c.mu.Unlock()
		if err := c.probe(t.addr); err != nil {
			t.fails++
		} else {
			c.up(t)
		}
		if t.fails > 3 {
			c.mark(t)
		}
	}
}

func (c *Checker) mark(t *target) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.down[t.addr] = true
	t.fails = 0
}

func (c *Checker) up(t *target) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.down, t.addr)
	t.fails = 0
}
