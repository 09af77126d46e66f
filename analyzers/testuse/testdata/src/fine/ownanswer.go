package fine

import "sync"

// Satchels has a satchel for each name; who makes one looks whether there is one by now.
type Satchels struct {
	mu    sync.RWMutex
	named map[string]*satchel
}

type satchel struct {
	mu  sync.Mutex
	sum int
}

func (s *Satchels) find(name string) *satchel {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.named[name]
}

func (s *Satchels) sew(name string) *satchel {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.named[name] == nil {
		s.named[name] = &satchel{}
	}
	return s.named[name]
}

func (s *Satchels) For(name string) *satchel {
	if found := s.find(name); found != nil {
		return found
	}
	return s.sew(name)
}

// drop tells what it has taken out.
func (s *Satchels) drop(name string) *satchel {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.named[name]
	delete(s.named, name)
	return old
}

func (s *Satchels) Empty(name string) int {
	if s.find(name) == nil {
		return 0
	}
	old := s.drop(name)
	if old == nil {
		return 0
	}
	old.mu.Lock()
	defer old.mu.Unlock()
	return old.sum
}
