package sessionstore

import (
	"errors"
	"sync"
	"time"
)

var ErrNoSession = errors.New("session expired")

type Session struct {
	ID    string
	User  string
	timer *time.Timer
}

type Store struct {
	ttl time.Duration
	mu  sync.Mutex
	all map[string]*Session
}

func New(ttl time.Duration) *Store {
	return &Store{ttl: ttl, all: make(map[string]*Session)}
}

func (s *Store) Create(id, user string) *Session {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.put(id, user)
}

func (s *Store) put(id, user string) *Session {
	sess := &Session{ID: id, User: user}
	sess.timer = time.AfterFunc(s.ttl, func() { s.drop(id) })
	s.all[id] = sess
	return sess
}

func (s *Store) drop(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.all, id)
}

func (s *Store) Renew(id string) (*Session, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	old, ok := s.all[id]
	if !ok {
		return nil, ErrNoSession
	}
	old.timer.Stop()
	return s.put(id, old.User), nil
}

func (s *Store) User(id string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if sess, ok := s.all[id]; ok {
		return sess.User, nil
	}
	return "", ErrNoSession
}
