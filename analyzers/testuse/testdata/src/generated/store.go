// Package generated has the same mistake in three files.
package generated

import "sync"

type Store struct {
	mu  sync.RWMutex
	now struct{ revision int }
}

func (s *Store) Now() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.now.revision
}

func (s *Store) Apply(revision int) {
	s.mu.RLock()
	old := revision <= s.now.revision // want `two goroutines can both pass the test of s.now.revision and both set it: s.mu is held for reading first`
	s.mu.RUnlock()
	if old {
		return
	}
	s.mu.Lock()
	s.now.revision = revision
	s.mu.Unlock()
}
