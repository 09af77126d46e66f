package broken

import "sync"

// Weir is open until Shut, which is the end of it.
type Weir struct {
	mu    sync.RWMutex
	gate  *weirGate
	level int
}

type weirGate struct{ n int }

func (g *weirGate) lift() int { g.n++; return g.n }
func (g *weirGate) drop()     {}

// Shut lets the gate go. It must not be called again.
func (s *Weir) Shut() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gate.drop()
	s.gate = nil
}

// Level asks with the lock.
func (s *Weir) Level() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.gate.lift() + s.level
}

// Lift asks without it.
func (s *Weir) Lift() int { return s.gate.lift() } // want `s.gate is read here without s.mu, which all functions hold that write it, as \(\*Weir\).Shut does`

// Twice asks without it as well.
func (s *Weir) Twice() int { return s.gate.lift() + s.gate.lift() }
