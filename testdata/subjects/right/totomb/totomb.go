// Package totomb never takes a key again that was revoked.
package totomb

import (
	"errors"
	"sync"
)

type token struct {
	revoked bool
	scope   []string
}

// Store has tokens, and the names of such as are revoked for good.
type Store struct {
	mu   sync.Mutex
	all  map[string]token
	dead map[string]bool
	used int
}

// New makes an empty store.
func New() *Store { return &Store{all: map[string]token{}, dead: map[string]bool{}} }

// Put stores a token, unless the name was revoked.
func (s *Store) Put(name string, t token) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dead[name] {
		return errors.New("totomb: revoked")
	}
	if t.revoked {
		s.dead[name] = true
	}
	s.all[name] = t
	s.used += len(t.scope)
	return nil
}

// Revoke marks it.
func (s *Store) Revoke(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t, ok := s.all[name]; ok {
		t.revoked = true
		s.all[name] = t
		s.dead[name] = true
	}
}

// Collect takes it out if it is revoked: nobody stores another one under its name then.
func (s *Store) Collect(name string, tell func(string)) {
	s.mu.Lock()
	t, ok := s.all[name]
	s.mu.Unlock()
	if !ok || !t.revoked {
		return
	}
	tell(name)
	s.mu.Lock()
	defer s.mu.Unlock()
	if old, ok := s.all[name]; ok {
		s.used -= len(old.scope)
		delete(s.all, name)
	}
}
