// Package elsession has a session for each connection, of the goroutine that serves it.
package elsession

import (
	"bufio"
	"net"
	"sync"
)

type session struct {
	peer string
	msgs int // of the goroutine that serves the connection
}

// Server serves each connection in a goroutine of its own.
type Server struct {
	mu       sync.Mutex
	sessions map[net.Conn]*session
	total    int
}

// New makes a server.
func New() *Server { return &Server{sessions: map[net.Conn]*session{}} }

// Serve serves.
func (s *Server) Serve(l net.Listener) error {
	for {
		c, err := l.Accept()
		if err != nil {
			return err
		}
		s.open(c)
		go s.serve(c)
	}
}

func (s *Server) open(c net.Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sessions[c] = &session{peer: c.RemoteAddr().String()}
}

func (s *Server) session(c net.Conn) *session {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sessions[c]
}

func (s *Server) serve(c net.Conn) {
	defer c.Close()
	sess := s.session(c)
	in := bufio.NewScanner(c)
	for in.Scan() {
		sess.msgs++
		c.Write(append(in.Bytes(), '\n'))
	}
	s.drop(c)
}

// drop is called by the goroutine that has served the connection.
func (s *Server) drop(c net.Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	sess := s.sessions[c]
	s.total += sess.msgs
	sess.msgs = 0
	delete(s.sessions, c)
}

// Open is how many there are.
func (s *Server) Open() (int, int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.sessions), s.total
}
