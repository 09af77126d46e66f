package fine

import "sync"

// LodgerHeld has a channel for what it is told.
type LodgerHeld struct{ told chan string }

// LodgersHeld are told under the lock.
type LodgersHeld struct {
	mu   sync.RWMutex
	here map[*LodgerHeld]bool
}

func (g *LodgersHeld) Go(guest *LodgerHeld) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.here[guest] {
		delete(g.here, guest)
		close(guest.told)
	}
}

func (g *LodgersHeld) Tell(guest *LodgerHeld, s string) {
	g.mu.RLock()
	defer g.mu.RUnlock()
	if g.here[guest] {
		guest.told <- s
	}
}
