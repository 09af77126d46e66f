// Package structreset clears the channel with all that stands around it.
package structreset

import "sync"

type run struct {
	done chan struct{}
	jobs int
}

// Session can be started again.
type Session struct {
	mu  sync.Mutex
	run run
}

// Start begins a run.
func (s *Session) Start() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.run.done == nil {
		s.run = run{done: make(chan struct{})}
	}
}

// Add counts.
func (s *Session) Add() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.run.jobs++
}

// Close ends the run. Right: the whole run is replaced by an empty one under the lock, so that
// the channel is nil for the next call.
func (s *Session) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.run.done != nil {
		close(s.run.done)
	}
	s.run = run{}
}

// Link is cleared as a whole; its lock stands beside it.
type Link struct {
	lock *sync.Mutex
	done chan struct{}
	n    int
}

// NewLink makes one.
func NewLink(lock *sync.Mutex) *Link { return &Link{lock: lock, done: make(chan struct{})} }

// Close ends it. Right: *l is cleared but for its lock while that is held.
func (l *Link) Close() {
	l.lock.Lock()
	defer l.lock.Unlock()
	if l.done != nil {
		close(l.done)
	}
	*l = Link{lock: l.lock}
}
