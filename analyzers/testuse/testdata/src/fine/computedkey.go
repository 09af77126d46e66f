package fine

import (
	"errors"
	"sync"
)

type postcard struct{ to, street string }

// Sorter keeps postcards by keys that it computes.
type Sorter struct {
	mu        sync.RWMutex
	postcards map[string]*postcard
}

func slotOf(to, street string) string { return to + "/" + street }

func (s *Sorter) has(to, street string) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	_, ok := s.postcards[slotOf(to, street)]
	return ok
}

// Add looks again.
func (s *Sorter) Add(p *postcard) error {
	if s.has(p.to, p.street) {
		return errors.New("twice")
	}
	key := slotOf(p.to, p.street)
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.postcards[key]; ok {
		return errors.New("twice")
	}
	s.postcards[key] = p
	return nil
}

// Redirect asks for the one address, and takes the other.
func (s *Sorter) Redirect(p *postcard, to string) error {
	if !s.has(p.to, p.street) {
		return errors.New("none")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.postcards[slotOf(to, p.street)] = p
	return nil
}
