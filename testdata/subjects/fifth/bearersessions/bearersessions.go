package bearersessions

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

var (
	ErrUnknown = errors.New("bearersessions: unknown session")
	ErrExpired = errors.New("bearersessions: session expired")
)

type Session struct {
	ID      string
	User    string
	Scopes  []string
	Expires time.Time
}

func (s Session) Has(scope string) bool { return slices.Contains(s.Scopes, scope) }

type Manager struct {
	ttl   time.Duration
	clock func() time.Time

	guard    sync.Mutex
	sessions map[string]Session
}

func NewManager(ttl time.Duration) *Manager {
	return &Manager{ttl: ttl, clock: time.Now, sessions: make(map[string]Session)}
}

func (m *Manager) Login(user string, scopes ...string) (Session, error) {
	var raw [16]byte
	if _, err := rand.Read(raw[:]); err != nil {
		return Session{}, fmt.Errorf("session id: %w", err)
	}
	s := Session{
		ID:      hex.EncodeToString(raw[:]),
		User:    user,
		Scopes:  slices.Clone(scopes),
		Expires: m.clock().Add(m.ttl),
	}
	m.save(s)
	return s, nil
}

func (m *Manager) Lookup(id string) (Session, error) {
	m.guard.Lock()
	defer m.guard.Unlock()
	s, ok := m.sessions[id]
	switch {
	case !ok:
		return Session{}, ErrUnknown
	case m.clock().After(s.Expires):
		delete(m.sessions, id)
		return Session{}, ErrExpired
	}
	return s, nil
}

func (m *Manager) save(s Session) {
	m.guard.Lock()
	m.sessions[s.ID] = s
	m.guard.Unlock()
}

// GrantScope widens a session after the user confirmed a consent screen.
func (m *Manager) GrantScope(id, scope string) error {
	s, err := m.Lookup(id)
	if err != nil {
		return fmt.Errorf("grant %q: %w", scope, err)
	}
	if s.Has(scope) {
		return nil
	}
	s.Scopes = append(slices.Clone(s.Scopes), scope)
	s.Expires = m.clock().Add(m.ttl)
	m.save(s)
	return nil
}

func (m *Manager) Revoke(id string) {
	m.guard.Lock()
	defer m.guard.Unlock()
	delete(m.sessions, id)
}

// Require lets requests through whose session carries the scope.
func (m *Manager) Require(scope string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		s, err := m.Lookup(id)
		if err != nil || !s.Has(scope) {
			http.Error(w, "forbidden", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}
