package fine

import (
	"errors"
	"sync"
)

type forkCount struct{ n int }

// A Splitter has one goroutine, which is begun by the first Feed.
type Splitter struct {
	mu     sync.RWMutex
	closed bool
	counts map[string]*forkCount
	wg     sync.WaitGroup
}

// Feed begins it; the next one is refused.
func (s *Splitter) Feed(in chan string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return errors.New("closed")
	}
	s.closed = true
	s.wg.Add(1)
	go s.pass(in)
	return nil
}

func (s *Splitter) pass(in chan string) {
	defer s.wg.Done()
	for name := range in {
		s.forked(name)
	}
}

func (s *Splitter) forked(name string) {
	s.mu.RLock()
	_, ok := s.counts[name]
	s.mu.RUnlock()
	if !ok {
		s.mu.Lock()
		s.counts[name] = &forkCount{}
		s.mu.Unlock()
	}
}

// Count asks.
func (s *Splitter) Count(name string) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.counts[name] != nil
}
