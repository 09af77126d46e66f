package sessionmap

import (
	"errors"
	"sync"
	"time"
)

type Session struct {
	Token   string
	Created time.Time

	mu   sync.Mutex
	vals map[string]string
}

func (s *Session) Set(k, v string) {
	s.mu.Lock()
	s.vals[k] = v
	s.mu.Unlock()
}

func (s *Session) Get(k string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.vals[k]
}

type typedMap struct{ m sync.Map }

func (t *typedMap) get(k string) (*Session, bool) {
	v, ok := t.m.Load(k)
	if !ok {
		return nil, false
	}
	return v.(*Session), true
}

func (t *typedMap) put(k string, s *Session) { t.m.Store(k, s) }

type Store struct {
	sessions typedMap
}

func (st *Store) Acquire(token string) (*Session, error) {
	if token == "" {
		return nil, errors.New("sessionmap: empty token")
	}
	if s, ok := st.sessions.get(token); ok {
		return s, nil
	}
	s := &Session{Token: token, Created: time.Now(), vals: map[string]string{}}
	st.sessions.put(token, s)
	return s, nil
}
