// Package handoff gives its lock to the goroutine that it begins.
package handoff

import "sync"

// Slot is refreshed in the background.
type Slot struct {
	mu      sync.Mutex
	current string
	times   int
}

// Refresh begins to open another one. Right: the lock is released by the goroutine, when it has
// set the fields; a Mutex belongs to no goroutine.
func (s *Slot) Refresh(open func() string) bool {
	if !s.mu.TryLock() {
		return false
	}
	go func() {
		defer s.mu.Unlock()
		s.current = open()
		s.times++
	}()
	return true
}

// Renew is the same with a lock that is waited for.
func (s *Slot) Renew(open func() string) {
	s.mu.Lock()
	go s.renewing(open)
}

// renewing is begun with s.mu held, and releases it.
func (s *Slot) renewing(open func() string) {
	s.current = open()
	s.times++
	s.mu.Unlock()
}

// Current is what was opened last.
func (s *Slot) Current() (string, int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.current, s.times
}

// Clear forgets it.
func (s *Slot) Clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.current, s.times = "", 0
}
