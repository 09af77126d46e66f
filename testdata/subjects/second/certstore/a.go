package certstore

import (
	"crypto/tls"
	"errors"
	"strings"
	"sync"
)

type entry struct {
	cert *tls.Certificate
	hits int
}

type Store struct {
	mu      sync.RWMutex
	byName  map[string]*entry
	Default *tls.Certificate
}

func NewStore(def *tls.Certificate) *Store {
	return &Store{byName: make(map[string]*entry), Default: def}
}

func (s *Store) Install(host string, c *tls.Certificate) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.byName[strings.ToLower(host)] = &entry{cert: c}
}

func (s *Store) Find(h *tls.ClientHelloInfo) (*tls.Certificate, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if e, ok := s.byName[strings.ToLower(h.ServerName)]; ok {
		e.hits++
		return e.cert, nil
	}
	if s.Default == nil {
		return nil, errors.New("certstore: no certificate")
	}
	return s.Default, nil
}

func (s *Store) Unused() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var names []string
	for n, e := range s.byName {
		if e.hits == 0 {
			names = append(names, n)
		}
	}
	return names
}
