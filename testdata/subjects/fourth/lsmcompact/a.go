package lsmcompact

import (
	"errors"
	"sync"
	"sync/atomic"
)

type Merger interface {
	Merge(segments []string) (string, error)
}

type Store struct {
	merger     Merger
	threshold  int
	compacting int32

	mu       sync.Mutex
	segments []string
}

func Open(m Merger, threshold int) *Store {
	return &Store{merger: m, threshold: threshold}
}

func (s *Store) busy() bool { return atomic.LoadInt32(&s.compacting) != 0 }

func (s *Store) begin() { atomic.StoreInt32(&s.compacting, 1) }

func (s *Store) end() { atomic.StoreInt32(&s.compacting, 0) }

func (s *Store) AddSegment(name string) error {
	s.mu.Lock()
	s.segments = append(s.segments, name)
	n := len(s.segments)
	s.mu.Unlock()
	if n < s.threshold {
		return nil
	}
	return s.MaybeCompact()
}

func (s *Store) MaybeCompact() error {
	if s.busy() {
		return nil
	}
	s.begin()
	defer s.end()

	s.mu.Lock()
	in := append([]string(nil), s.segments...)
	s.mu.Unlock()
	out, err := s.merger.Merge(in)
	if err != nil {
		return errors.Join(errors.New("compaction failed"), err)
	}
	s.mu.Lock()
	s.segments = append([]string{out}, s.segments[len(in):]...)
	s.mu.Unlock()
	return nil
}
