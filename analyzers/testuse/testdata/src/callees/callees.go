// Package callees splits its sequences over getters, setters and functions that
// drop the lock of their caller.
package callees

import (
	"sync"
	"sync/atomic"
)

type Server struct {
	mu     sync.RWMutex
	closed bool
	sys    *system
	state  atomic.Int32
	quit   chan struct{}
}

type system struct{ sid int }

func (s *Server) isClosed() bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.closed
}

func (s *Server) setClosed() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
}

func (s *Server) Close() {
	if s.isClosed() { // want `both pass the test of s.closed \(in s.isClosed\) and close s.quit twice`
		return
	}
	s.setClosed()
	close(s.quit)
}

// tryClose looks for itself.
func (s *Server) tryClose() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.closed = true
	return true
}

func (s *Server) Stop() {
	if s.isClosed() {
		return
	}
	if s.tryClose() {
		close(s.quit)
	}
}

func (s *Server) running() bool { return s.sys != nil }

func (s *Server) Subscribe() int {
	if !s.running() { // want `another goroutine can change s.sys \(in s.running\) after it was tested and before it is used: s.mu is taken only afterwards`
		return 0
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sys.sid++
	return s.sys.sid
}

func (s *Server) Reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sys = nil
}

type State int32

const Closed State = 3

func (s *Server) State() State { return State(s.state.Load()) }

func (s *Server) Shutdown() {
	if s.State() == Closed { // want `both pass the test of s.state \(in s.State\) and close s.quit twice`
		return
	}
	s.state.Store(int32(Closed))
	close(s.quit)
}

// flushLocked drops the lock that the caller holds while it writes.
func (s *Server) flushLocked() {
	s.mu.Unlock()
	s.write()
	s.mu.Lock()
}

func (s *Server) write() {}

func (s *Server) Drain() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.sys == nil { // want `both pass the test of s.sys and close s.quit twice: s.mu is released in between`
		return
	}
	s.flushLocked()
	s.sys = nil
	close(s.quit)
}
