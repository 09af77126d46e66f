// Package liaccept accepts connections in one loop, as many as it may.
package liaccept

import (
	"io"
	"net"
	"sync"
	"sync/atomic"
)

// Server has one loop that accepts: it alone raises the count.
type Server struct {
	l      net.Listener
	most   int64
	active atomic.Int64
	allow  func(net.Addr) bool
	once   sync.Once
}

// New makes a server, and starts it.
func New(l net.Listener, most int64, allow func(net.Addr) bool) *Server {
	s := &Server{l: l, most: most, allow: allow}
	s.once.Do(func() { go s.loop() })
	return s
}

func (s *Server) loop() {
	for {
		c, err := s.l.Accept()
		if err != nil {
			return
		}
		s.admit(c)
	}
}

// admit is called by the loop.
func (s *Server) admit(c net.Conn) {
	if s.active.Load() >= s.most {
		c.Close()
		return
	}
	if !s.allow(c.RemoteAddr()) {
		c.Close()
		return
	}
	s.active.Add(1)
	go s.serve(c)
}

func (s *Server) serve(c net.Conn) {
	defer s.active.Add(-1)
	defer c.Close()
	io.Copy(c, c)
}

// Active is how many there are.
func (s *Server) Active() int64 { return s.active.Load() }

// Close ends the loop.
func (s *Server) Close() error { return s.l.Close() }
