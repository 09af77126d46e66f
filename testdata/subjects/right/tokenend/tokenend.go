// Package tokenend has one token for the one who ends.
package tokenend

import (
	"net"
	"sync"
	"sync/atomic"
)

// Server hands a token to the first who ends it.
type Server struct {
	mu      sync.Mutex
	n       int
	closing atomic.Bool
	token   chan struct{}
	quit    chan struct{}
}

// New makes one.
func New() *Server {
	s := &Server{token: make(chan struct{}, 1), quit: make(chan struct{})}
	s.token <- struct{}{}
	go func() { <-s.quit }()
	return s
}

// Do counts.
func (s *Server) Do() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n++
}

// Close ends it. Right: there is one token, and nobody puts it back.
func (s *Server) Close() error {
	select {
	case <-s.token:
	default:
		return nil
	}
	s.closing.Store(true)
	close(s.quit)
	return nil
}

// Front stands on a listener.
type Front struct {
	mu   sync.Mutex
	n    int
	ln   net.Listener
	quit chan struct{}
}

// NewFront makes one.
func NewFront(ln net.Listener) *Front {
	f := &Front{ln: ln, quit: make(chan struct{})}
	go func() { <-f.quit }()
	return f
}

// Do counts.
func (f *Front) Do() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.n++
}

// Close ends it. Right: the second Close of a listener fails, in one step.
func (f *Front) Close() error {
	if err := f.ln.Close(); err != nil {
		return err
	}
	close(f.quit)
	return nil
}
