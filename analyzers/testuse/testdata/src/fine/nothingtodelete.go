package fine

import "sync"

// Hooks are cleared of what was taken; where nothing hangs there is nothing to do.
type Hooks struct {
	mu    sync.Mutex
	coats map[string]int
}

func (s *Hooks) Put(name string, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.coats[name] = n
}

func (s *Hooks) Take(name string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.coats[name]
}

func (s *Hooks) Drop(names ...string) {
	if len(s.coats) == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, name := range names {
		delete(s.coats, name)
	}
}
