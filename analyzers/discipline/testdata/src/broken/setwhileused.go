package broken

import "sync"

// Gaugebar shows how much is done.
type Gaugebar struct {
	mu        sync.Mutex
	most      int64
	now, seen int64
}

// Advance draws.
func (g *Gaugebar) Advance(n int64) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.now += n
	return g.now >= g.most
}

// Snap is what there is.
func (g *Gaugebar) Snap() (now, most int64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.seen = g.now
	return g.now, g.most
}

// Most is the most.
func (g *Gaugebar) Most() int64 { return g.most }

// Widen is called while others advance.
func (g *Gaugebar) Widen(most int64) {
	g.most = most // want `g.most is accessed here without a lock, and in .* under g.mu, the one lock of Gaugebar`
	g.Advance(0)
}
