package fine

import "sync/atomic"

// Gong counts, and draws no numbers.
type Gong struct {
	strokes, served atomic.Int64
}

// Strike does something each hundredth time; one more or less does no harm.
func (g *Gong) Strike(ring func()) {
	if g.strokes.Add(1) >= 100 {
		g.strokes.Store(0)
		ring()
	}
}

// Turn takes the remainder.
func (g *Gong) Turn(of []func()) {
	n := g.served.Add(1)
	of[int(n)%len(of)]()
}

// Next lets one of several begin anew.
func (g *Gong) Next() int64 {
	for {
		n := g.served.Load()
		next := n + 1
		if next > 1000 {
			next = 1
		}
		if g.served.CompareAndSwap(n, next) {
			return next
		}
	}
}
