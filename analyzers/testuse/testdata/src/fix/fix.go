// Package fix has guards that one operation can replace.
package fix

import "sync/atomic"

type Server struct {
	closed atomic.Bool
	done   chan struct{}
}

func (s *Server) Close() error {
	if s.closed.Load() { // want `both pass the test of s.closed and close s.done twice`
		return nil
	}
	s.closed.Store(true)
	close(s.done)
	return nil
}

// Work stands between the test and the store: what to do is not ours to say.
func (s *Server) Stop() {
	if s.closed.Load() { // want `both pass the test of s.closed and close s.done twice`
		return
	}
	s.flush()
	s.closed.Store(true)
	close(s.done)
}

func (s *Server) flush() {}

func (s *Server) Shutdown() {
	select {
	case <-s.done: // want `both find s.done open and close it twice`
	default:
		close(s.done)
	}
}
