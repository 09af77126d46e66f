// Package broken loses updates in every way that loadstore knows.
package broken

import (
	"sync"
	"sync/atomic"
)

type Stats struct {
	mu    sync.RWMutex
	hits  int
	names []string
	byKey map[string]int
	next  int
	max   atomic.Int64
}

// Hits and Reset show that hits is guarded by mu.
func (s *Stats) Hits() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.hits
}

func (s *Stats) Reset() {
	s.mu.Lock()
	s.hits = 0
	s.mu.Unlock()
}

func (s *Stats) Hit() {
	s.hits++ // want `two goroutines can both read s.hits before either stores it, and one update is lost: no lock is held`
}

func (s *Stats) HitShared() {
	s.mu.RLock()
	s.hits += 2 // want `s.hits .*: s.mu is held for reading only`
	s.mu.RUnlock()
}

func (s *Stats) Append(name string) {
	names := append(s.names, name) // want `s.names .*: s.mu is taken only afterwards`
	s.mu.Lock()
	s.names = names
	s.mu.Unlock()
}

func (s *Stats) Names() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.names...)
}

func (s *Stats) Next() int {
	s.mu.Lock()
	n := s.next // want `s.next .*: s.mu is released in between`
	s.mu.Unlock()
	n++
	s.mu.Lock()
	s.next = n
	s.mu.Unlock()
	return n
}

func (s *Stats) Count(key string) {
	s.mu.RLock()
	n := s.byKey[key] // want `s.byKey\[key\] .*: s.mu is held for reading first and taken for writing later`
	s.mu.RUnlock()
	s.mu.Lock()
	s.byKey[key] = n + 1
	s.mu.Unlock()
}

func (s *Stats) Double() {
	s.max.Store(2 * s.max.Load()) // want `s.max .*: two atomic operations are not one`
}

// drop releases the lock that its callers hold.
func (s *Stats) drop() {
	s.mu.Unlock()
	s.flush()
	s.mu.Lock()
}

func (s *Stats) flush() {}

func (s *Stats) Advance() {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.next // want `s.next .*: s.mu is released in between`
	s.drop()
	s.next = n + 1
}
