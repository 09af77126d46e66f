package fine

import "sync"

// Gaugeset shows how much is done, of what is set before.
type Gaugeset struct {
	mu        sync.Mutex
	most      int64
	now, seen int64
}

// Advance draws.
func (g *Gaugeset) Advance(n int64) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.now += n
	return g.now >= g.most
}

// Snap is what there is.
func (g *Gaugeset) Snap() (now, most int64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.seen = g.now
	return g.now, g.most
}

// SetMost is for those who have not begun.
func (g *Gaugeset) SetMost(most int64) { g.most = most }
