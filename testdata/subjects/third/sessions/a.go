package sessions

import (
	"errors"
	"net/http"
	"sync"
	"time"
)

var (
	ErrNoSession = errors.New("no session")
	ErrExpired   = errors.New("session expired")
)

type Session struct {
	User    string
	Expires time.Time
}

type Sessions struct {
	m   sync.Map
	ttl time.Duration
}

func New(ttl time.Duration) *Sessions { return &Sessions{ttl: ttl} }

func (s *Sessions) Login(id, user string) *Session {
	sess := &Session{User: user, Expires: time.Now().Add(s.ttl)}
	s.m.Store(id, sess)
	return sess
}

func (s *Sessions) Get(id string) (*Session, error) {
	v, ok := s.m.Load(id)
	if !ok {
		return nil, ErrNoSession
	}
	sess := v.(*Session)
	if time.Now().After(sess.Expires) {
		s.m.Delete(id)
		return nil, ErrExpired
	}
	return sess, nil
}

func (s *Sessions) Middleware(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, err := r.Cookie("sid")
		if err != nil {
			http.Error(w, ErrNoSession.Error(), http.StatusUnauthorized)
			return
		}
		if _, err := s.Get(c.Value); err != nil {
			http.Error(w, err.Error(), http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}
