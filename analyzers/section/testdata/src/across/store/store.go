// Package store has what package client uses: nothing is reported here.
package store

import (
	"sync"
	"sync/atomic"
)

// Store holds a number.
type Store struct {
	mu     sync.Mutex
	value  int
	byName map[string]int
	closed bool
	level  atomic.Int64
	free   int
}

func (s *Store) Get() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.value
}

func (s *Store) Set(v int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.value = v
}

// Value is Get at one more remove.
func (s *Store) Value() int { return s.Get() }

func (s *Store) Lookup(name string) (int, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v, ok := s.byName[name]
	return v, ok
}

func (s *Store) Insert(name string, v int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.byName[name] = v
}

func (s *Store) IsClosed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closed
}

func (s *Store) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	s.value = 0
}

// CloseOnce looks for itself.
func (s *Store) CloseOnce() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.closed = true
		s.value = 0
	}
}

func (s *Store) Level() int64     { return s.level.Load() }
func (s *Store) SetLevel(n int64) { s.level.Store(n) }

// Lock and Unlock let others do several things in one step.
func (s *Store) Lock()   { s.mu.Lock() }
func (s *Store) Unlock() { s.mu.Unlock() }

// GetLocked must be called with the lock held.
func (s *Store) GetLocked() int { return s.value }

// SetLocked must be called with the lock held.
func (s *Store) SetLocked(v int) { s.value = v }

// FlushLocked must be called with the lock held, and drops it meanwhile.
func (s *Store) FlushLocked() {
	s.mu.Unlock()
	s.mu.Lock()
}

// Hold locks any store.
func Hold(s *Store) { s.mu.Lock() }

// Drop unlocks it.
func Drop(s *Store) { s.mu.Unlock() }

// Background runs f in a goroutine.
func Background(f func()) {
	go func() {
		f()
	}()
}

var (
	registryMu sync.Mutex
	registry   = map[string]int{}
)

// Registered looks into the registry.
func Registered(name string) bool {
	registryMu.Lock()
	defer registryMu.Unlock()
	_, ok := registry[name]
	return ok
}

// Register adds to the registry.
func Register(name string, n int) {
	registryMu.Lock()
	defer registryMu.Unlock()
	registry[name] = n
}

// Span is a value.
type Span struct {
	from, to int
	next     *Span
}

func (s Span) From() int { return s.from }

// Moved changes a copy.
func (s Span) Moved(n int) Span {
	s.set(n)
	return s
}

func (s *Span) set(n int) { s.from = n }
