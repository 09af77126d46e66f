package fine

import (
	"maps"
	"sync"
)

// Signposts has a new map for each change.
type Signposts struct {
	mu sync.RWMutex
	to map[string]string
}

func (s *Signposts) posts() map[string]string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.to
}

func (s *Signposts) Remove(from string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.to = maps.Clone(s.to)
	delete(s.to, from)
}

func (s *Signposts) Each(f func(string, string)) {
	for from, to := range s.posts() {
		f(from, to)
	}
}
