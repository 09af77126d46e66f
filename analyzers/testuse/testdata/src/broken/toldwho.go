package broken

import "sync"

// Set tells who was first to add a value, and to remove it.
type Set struct {
	mu sync.RWMutex
	m  map[string]struct{}
}

func (s *Set) Add(v string) bool {
	s.mu.RLock()
	_, found := s.m[v] // want `two goroutines can both pass the test of s.m\[v\] and both set it`
	s.mu.RUnlock()
	if found {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.m[v] = struct{}{}
	return true
}

// Ensure tells nothing.
func (s *Set) Ensure(v string) {
	s.mu.RLock()
	_, found := s.m[v]
	s.mu.RUnlock()
	if found {
		return
	}
	s.mu.Lock()
	s.m[v] = struct{}{}
	s.mu.Unlock()
}

// Has is true either way.
func (s *Set) Has(v string) bool {
	s.mu.RLock()
	_, found := s.m[v]
	s.mu.RUnlock()
	if found {
		return true
	}
	s.mu.Lock()
	s.m[v] = struct{}{}
	s.mu.Unlock()
	return true
}

// Pegboard tells by what its look has found.
type Pegboard struct{ m sync.Map }

func (s *Pegboard) Put(v string) { s.m.Store(v, true) }

func (s *Pegboard) Take(v string) bool {
	_, there := s.m.Load(v) // want `two goroutines can both pass the test of s.m\[v\] and both delete it`
	if there {
		s.m.Delete(v)
	}
	return there
}

// Forget tells nothing.
func (s *Pegboard) Forget(v string) {
	_, there := s.m.Load(v)
	if there {
		s.m.Delete(v)
	}
}

// Tidy tells what does not tell who has removed it.
func (s *Pegboard) Tidy(v string, also bool) bool {
	_, there := s.m.Load(v)
	if there {
		s.m.Delete(v)
	}
	return also
}
