package broken

import (
	"maps"
	"sync"
)

// Signposts has a new map on some ways only.
type Signposts struct {
	mu sync.RWMutex
	to map[string]string
}

func (s *Signposts) posts() map[string]string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.to
}

func (s *Signposts) Remove(from string, keep bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if keep {
		s.to = maps.Clone(s.to)
	}
	delete(s.to, from)
}

func (s *Signposts) Each(f func(string, string)) {
	for from, to := range s.posts() { // want `s.posts\(\) is the map Signposts.to itself, not a copy; it is used after s.mu was released, while others change it`
		f(from, to)
	}
}
