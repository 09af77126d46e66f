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

// Link sets its state in a function that asks first whether there is a change.
type Link struct {
	mu    sync.Mutex
	state State
	tries int
}

func (l *Link) set(state State) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.state == state {
		return
	}
	l.state = state
}

func (l *Link) Connect() {
	l.mu.Lock()
	if l.state != 0 { // want `both pass the test of l.state and both set it: l.mu is released in between`
		l.mu.Unlock()
		return
	}
	l.mu.Unlock()
	l.set(Closed)
}

// Stats resets, after the release, what it has counted under the lock.
type Stats struct {
	mu      sync.Mutex
	pending int
	total   int
}

func (s *Stats) Count(n int) {
	s.mu.Lock()
	s.pending += n
	s.total += n
	s.mu.Unlock()
	if s.pending > 100 { // want `both pass the test of s.pending and both set it: s.mu has been released by then`
		s.flush()
		s.pending = 0
	}
}

func (s *Stats) flush() {}

// Add does it with the lock held all the time.
func (s *Stats) Add(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.total += n
	if s.total > 100 {
		s.flush()
		s.total = 0
	}
}
