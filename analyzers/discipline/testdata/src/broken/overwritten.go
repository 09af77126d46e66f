package broken

import (
	"sync"
	"sync/atomic"
)

// Pigeonholes has a sync.Map, so that no lock is needed.
type Pigeonholes struct {
	letters sync.Map
	count   atomic.Int64
}

// Get looks.
func (p *Pigeonholes) Get(name string) (any, bool) { return p.letters.Load(name) }

// Put puts.
func (p *Pigeonholes) Put(name, letter string) {
	p.letters.Store(name, letter)
	p.count.Add(1)
}

// Clear takes all out.
func (p *Pigeonholes) Clear() {
	p.letters = sync.Map{} // want `p.letters is overwritten as a whole here, by a plain assignment, while \(\*Pigeonholes\).Get may be using it: sync.Map is safe for goroutines by its methods alone`
	p.count.Store(0)
}
