package fine

import (
	"sync"
	"time"
)

// Granary does all under one lock, in parts that nothing else calls.
type Granary struct {
	mu     sync.Mutex
	bins   map[string]time.Time
	shut   bool
	quit   chan struct{}
	filled int
}

func (g *Granary) Fill(bin string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.fill(bin)
}

func (g *Granary) fill(bin string) {
	if g.isFull() {
		return
	}
	g.store(bin)
}

func (g *Granary) store(bin string) {
	g.filled++
	g.bins[bin] = time.Now()
}

func (g *Granary) isFull() bool { return g.filled > 100 }

// Empty looks again in the part that takes away.
func (g *Granary) Empty(bin string) {
	since := g.since(bin)
	if time.Since(since) < time.Hour {
		return
	}
	g.takeOld(bin)
}

func (g *Granary) takeOld(bin string) {
	g.mu.Lock()
	if time.Since(g.bins[bin]) >= time.Hour {
		delete(g.bins, bin)
		g.filled--
	}
	g.mu.Unlock()
}

func (g *Granary) since(bin string) time.Time {
	g.mu.Lock()
	since := g.bins[bin]
	g.mu.Unlock()
	return since
}

// Shut lets one in.
func (g *Granary) Shut() {
	first := g.markShut()
	if !first {
		return
	}
	g.end()
}

func (g *Granary) end() { close(g.quit) }

func (g *Granary) markShut() bool {
	g.mu.Lock()
	first := !g.shut
	g.shut = true
	g.mu.Unlock()
	return first
}

// Await gives the lock up for a while, and looks again.
func (g *Granary) Await() {
	g.mu.Lock()
	for g.filled > 0 {
		g.rest()
	}
	g.filled = 1
	g.mu.Unlock()
}

func (g *Granary) rest() {
	g.mu.Unlock()
	time.Sleep(time.Second)
	g.mu.Lock()
}
