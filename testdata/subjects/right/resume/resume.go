// Package resume has sessions under ids of their own.
package resume

import (
	"crypto/rand"
	"sync"
)

// Session has an id that nobody else has.
type Session struct {
	ID     string
	Parent string
}

func begin(parent string) *Session {
	return &Session{ID: rand.Text(), Parent: parent}
}

// Server has the sessions.
type Server struct {
	mu  sync.Mutex
	all map[string]*Session
}

// New makes one.
func New() *Server { return &Server{all: map[string]*Session{}} }

// Resume goes on with a session, or begins one that tells where it comes from. Right: the new
// one has an id of its own, drawn from 128 bits; two that find the old one gone begin two.
func (s *Server) Resume(id string) *Session {
	s.mu.Lock()
	old, ok := s.all[id]
	s.mu.Unlock()
	if ok {
		return old
	}
	fresh := begin(id)
	s.mu.Lock()
	s.all[fresh.ID] = fresh
	s.mu.Unlock()
	return fresh
}

// End removes one.
func (s *Server) End(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.all, id)
}
