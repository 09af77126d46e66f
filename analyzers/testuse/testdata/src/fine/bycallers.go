package fine

import (
	"sync"
	"time"
)

// A Graindepot sweeps under its lock, whoever calls.
type Graindepot struct {
	mu    sync.RWMutex
	sacks map[string]time.Time
	swept time.Time
}

func (g *Graindepot) Put(name string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.sacks[name] = time.Now()
	g.sweepIfDue()
}

func (g *Graindepot) Has(name string) bool {
	g.mu.Lock()
	_, ok := g.sacks[name]
	g.sweepIfDue()
	g.mu.Unlock()
	return ok
}

func (g *Graindepot) sweepIfDue() {
	now := time.Now()
	if now.Sub(g.swept) < time.Minute {
		return
	}
	g.swept = now
	go g.sweep()
}

func (g *Graindepot) sweep() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for name, at := range g.sacks {
		if time.Since(at) > time.Hour {
			delete(g.sacks, name)
		}
	}
}

// A Cellar is filled by its constructor without the lock, before others have it.
type Cellar struct {
	mu    sync.Mutex
	casks map[string]time.Time
	swept time.Time
}

func NewCellar() *Cellar {
	c := &Cellar{casks: map[string]time.Time{}}
	c.sweepIfDue()
	return c
}

func (c *Cellar) Put(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.casks[name] = time.Now()
	c.sweepIfDue()
}

func (c *Cellar) sweepIfDue() {
	now := time.Now()
	if now.Sub(c.swept) < time.Minute {
		return
	}
	c.swept = now
	go c.sweep()
}

func (c *Cellar) sweep() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for name, at := range c.casks {
		if time.Since(at) > time.Hour {
			delete(c.casks, name)
		}
	}
}
