// Package liunder raises a count under a lock alone, and lowers it without.
package liunder

import (
	"errors"
	"sync"
	"sync/atomic"
)

// Slots are given out under the lock: what is lowered meanwhile makes room at most.
type Slots struct {
	mu    sync.Mutex
	used  atomic.Int32
	most  int32
	names map[string]bool
}

// New makes n slots.
func New(n int32) *Slots { return &Slots{most: n, names: map[string]bool{}} }

// Take takes a slot under the name.
func (s *Slots) Take(name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.take(name)
}

// TakeAll takes one for each.
func (s *Slots) TakeAll(names ...string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, n := range names {
		if err := s.take(n); err != nil {
			return err
		}
	}
	return nil
}

func (s *Slots) take(name string) error {
	if s.used.Load() >= s.most {
		return errors.New("liunder: full")
	}
	if s.names[name] {
		return errors.New("liunder: taken")
	}
	s.names[name] = true
	s.used.Add(1)
	return nil
}

// Drop gives one back.
func (s *Slots) Drop() { s.used.Add(-1) }
