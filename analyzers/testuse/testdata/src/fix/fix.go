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

type key struct{ host, port string }

type Pool struct {
	servers map[key]*Server
	list    []Server
	next    func() int
}

// What finds the object stays as it was written, and comments stay where they were.
func (p *Pool) Close(host string) {
	if (p.servers[key{host, "80"}].closed.Load()) { // want `both pass the test of .* twice`
		return // closed
	} // open

	// From here on nobody else closes it: see issue 5.
	p.servers[key{host, "80"}].closed.Store(true) // now
	close(p.servers[key{host, "80"}].done)
}

// A call may do something each time.
func (p *Pool) CloseNext() {
	if p.list[p.next()].closed.Load() { // want `both pass the test of .* twice`
		return
	}
	p.list[p.next()].closed.Store(true)
	close(p.list[p.next()].done)
}

// The names that the fix needs mean something else here.
func (s *Server) End(false int) {
	if s.closed.Load() { // want `both pass the test of s.closed and close s.done twice`
		return
	}
	s.closed.Store(true)
	close(s.done)
}
