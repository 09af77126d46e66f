package fine

import "sync"

// Sluice is open until Shut, which is the end of it.
type Sluice struct {
	mu    sync.RWMutex
	gate  *gate
	level int
}

type gate struct{ n int }

func (g *gate) lift() int { g.n++; return g.n }
func (g *gate) drop()     {}

// Shut lets the gate go. No other methods may be called after this.
func (s *Sluice) Shut() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gate.drop()
	s.gate = nil
}

// Level asks with the lock.
func (s *Sluice) Level() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.gate.lift() + s.level
}

// Lift asks without it.
func (s *Sluice) Lift() int { return s.gate.lift() }

// Twice asks without it as well.
func (s *Sluice) Twice() int { return s.gate.lift() + s.gate.lift() }

// Floodgate is open until Shut, which is the end of it.
type Floodgate struct {
	mu    sync.RWMutex
	gate  *gate
	level int
}

// Shut lets the gate go. The floodgate must not be used after that.
func (s *Floodgate) Shut() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gate.drop()
	s.gate = nil
}

// Level asks with the lock.
func (s *Floodgate) Level() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.gate.lift() + s.level
}

// Lift asks without it.
func (s *Floodgate) Lift() int { return s.gate.lift() }

// Twice asks without it as well.
func (s *Floodgate) Twice() int { return s.gate.lift() + s.gate.lift() }
