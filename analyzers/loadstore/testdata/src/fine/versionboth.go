package fine

import "sync"

// Gauge takes what was measured if nobody has set it in the meantime, and there is need.
type Gauge struct {
	mu      sync.Mutex
	level   int
	version int
}

func (g *Gauge) Raise(measure func(int) int, again bool) {
	g.mu.Lock()
	level, version := g.level, g.version
	g.mu.Unlock()
	level += measure(level)
	g.mu.Lock()
	defer g.mu.Unlock()
	if again && g.version == version {
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
