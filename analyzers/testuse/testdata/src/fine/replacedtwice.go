package fine

import "sync"

type auger struct{ stopped bool }

func (a *auger) Stop()           { a.stopped = true }
func (a *auger) Turn(n int) bool { return n > 0 }

// Silo exchanges its auger.
type Silo struct {
	mu    sync.RWMutex
	auger *auger
}

// Exchange takes the old one away in one critical section.
func (s *Silo) Exchange() {
	fresh := &auger{}
	s.mu.Lock()
	old := s.auger
	s.auger = fresh
	s.mu.Unlock()
	old.Stop()
}

// ExchangeFor looks whether it is the old one still.
func (s *Silo) ExchangeFor() {
	s.mu.RLock()
	old := s.auger
	s.mu.RUnlock()
	fresh := &auger{}
	s.mu.Lock()
	if s.auger != old {
		s.mu.Unlock()
		return
	}
	s.auger = fresh
	s.mu.Unlock()
	old.Stop()
}

func (s *Silo) Turn(n int) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.auger.Turn(n)
}
