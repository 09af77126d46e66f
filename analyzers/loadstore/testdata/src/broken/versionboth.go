package broken

import "sync"

// Gauge takes what was measured, sometimes without a look at its version.
type Gauge struct {
	mu      sync.Mutex
	level   int
	version int
}

func (g *Gauge) Raise(measure func(int) int, again bool) {
	g.mu.Lock()
	level, version := g.level, g.version // want `two goroutines can both read g.level before either stores it, and one update is lost: g.mu is released in between`
	g.mu.Unlock()
	level += measure(level)
	g.mu.Lock()
	defer g.mu.Unlock()
	if again || g.version == version {
		g.level = level
		g.version++
	}
}

func (g *Gauge) Set(n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.level = n
	g.version++
}

func (g *Gauge) Start() {
	for range 3 {
		go g.Raise(func(n int) int { return n }, true)
		go g.Set(1)
	}
}
