package tlscerts

import (
	"crypto/tls"
	"sync"
)

type ref struct {
	cert *tls.Certificate
	n    int
}

type Loader func(name string) (*tls.Certificate, error)

type Store struct {
	mu    sync.Mutex
	load  Loader
	certs map[string]*ref
}

func NewStore(load Loader) *Store {
	return &Store{load: load, certs: make(map[string]*ref)}
}

func (s *Store) Acquire(name string) (*tls.Certificate, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r, ok := s.certs[name]; ok {
		r.n++
		return r.cert, nil
	}
	c, err := s.load(name)
	if err != nil {
		return nil, err
	}
	s.certs[name] = &ref{cert: c, n: 1}
	return c, nil
}

func (s *Store) Release(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, ok := s.certs[name]
	if !ok {
		panic("tlscerts: release of unknown certificate " + name)
	}
	r.n--
	if r.n == 0 {
		delete(s.certs, name)
	}
}

func (s *Store) GetCertificate(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
	c, err := s.Acquire(hello.ServerName)
	if err == nil {
		s.Release(hello.ServerName)
	}
	return c, err
}
