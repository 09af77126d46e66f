package fine

import (
	"maps"
	"sync"
)

// What is copied is replaced at once, or nothing is added any more.

type Spool struct {
	mu     sync.Mutex
	pages  map[string]string
	lines  []string
	closed bool
	out    func(map[string]string, []string)
}

func NewSpool(out func(map[string]string, []string)) *Spool {
	return &Spool{pages: map[string]string{}, out: out}
}

func (s *Spool) Put(k, v string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.pages[k] = v
	s.lines = append(s.lines, v)
	return true
}

func (s *Spool) rotateLocked() {
	pages := s.pages
	s.pages = map[string]string{}
	s.mu.Unlock()
	s.out(pages, nil)
	s.mu.Lock()
}

func (s *Spool) Rotate() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rotateLocked()
}

func (s *Spool) Locked() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.out(maps.Clone(s.pages), nil)
	s.pages = map[string]string{}
}

func (s *Spool) Close() {
	s.mu.Lock()
	s.closed = true
	pages := s.pages
	s.mu.Unlock()
	s.out(pages, nil)
	s.mu.Lock()
	s.pages = nil
	s.mu.Unlock()
}
