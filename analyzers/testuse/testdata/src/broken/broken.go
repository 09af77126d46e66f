// Package broken relies on tests that no longer hold, in every way that testuse
// knows.
package broken

import (
	"sync"
	"sync/atomic"
)

type conn struct{ users int }

type Server struct {
	mu     sync.RWMutex
	closed bool
	done   chan struct{}
	conn   *conn
	seats  map[int]string
	queue  []int
	cancel func()
	gone   atomic.Bool
	open   int32
	byName sync.Map
}

// Close closes done twice when called twice at the same time.
func (s *Server) Close() {
	s.mu.Lock()
	closed := s.closed // want `both pass the test of s.closed and close s.done twice: s.mu is released in between`
	s.mu.Unlock()
	if closed {
		return
	}
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	close(s.done)
}

func (s *Server) Shutdown() {
	if s.gone.Load() { // want `both pass the test of s.gone and close s.done twice: two atomic operations are not one`
		return
	}
	s.gone.Store(true)
	close(s.done)
}

func (s *Server) Stop() {
	if atomic.LoadInt32(&s.open) == 1 { // want `both pass the test of s.open and close s.done twice`
		atomic.StoreInt32(&s.open, 0)
		close(s.done)
	}
}

func (s *Server) Conn() *conn {
	if s.conn == nil { // want `s.conn .*: s.mu is taken only afterwards`
		s.mu.Lock()
		s.conn = &conn{}
		s.conn.users++
		s.mu.Unlock()
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.conn
}

func (s *Server) Book(seat int, name string) bool {
	s.mu.RLock()
	_, taken := s.seats[seat] // want `s.seats\[seat\] and both set it: s.mu is held for reading first`
	s.mu.RUnlock()
	if taken {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seats[seat] = name
	return true
}

func (s *Server) Push(n int) {
	s.mu.Lock()
	s.queue = append(s.queue, n)
	s.mu.Unlock()
}

func (s *Server) Pop() {
	s.mu.Lock()
	n := len(s.queue) // want `s.queue and both set it: s.mu is released in between`
	s.mu.Unlock()
	if n > 0 {
		s.mu.Lock()
		s.queue = s.queue[1:]
		s.mu.Unlock()
	}
}

func (s *Server) Named(name string) *conn {
	if c, ok := s.byName.Load(name); ok { // want `s.byName\[name\] and both set it: Load and Store are two operations`
		return c.(*conn)
	}
	c := &conn{}
	s.byName.Store(name, c)
	return c
}

func (s *Server) Cancel() {
	if s.cancel != nil { // want `s.cancel and both set it: no lock is held`
		s.cancel()
		s.cancel = nil
	}
}

func (s *Server) Start(cancel func()) {
	s.mu.Lock()
	s.cancel = cancel
	s.mu.Unlock()
}

func (s *Server) Restart(cancel func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cancel = cancel
}
