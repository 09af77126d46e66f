// Package sessrotate keeps login sessions and rotates their bearer tokens.
package sessrotate

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"sync"
	"time"
)

var (
	ErrUnknown = errors.New("sessrotate: unknown session")
	ErrExpired = errors.New("sessrotate: session expired")
)

type session struct {
	user    string
	expires time.Time
	rotated int
}

type Event struct {
	Kind string
	User string
	At   time.Time
}

// Hook receives audit events; it may call back into the manager.
type Hook func(Event)

type Manager struct {
	ttl   time.Duration
	hooks []Hook

	stateMu sync.Mutex
	live    map[string]session
	users   map[string]int
}

func NewManager(ttl time.Duration, hooks ...Hook) *Manager {
	return &Manager{
		ttl:   ttl,
		hooks: hooks,
		live:  make(map[string]session),
		users: make(map[string]int),
	}
}

func newToken() string {
	var b [16]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:])
}

func (m *Manager) Login(user string) string {
	tok := newToken()
	m.stateMu.Lock()
	defer m.stateMu.Unlock()
	m.live[tok] = session{user: user, expires: time.Now().Add(m.ttl)}
	m.users[user]++
	m.notify(Event{Kind: "login", User: user, At: time.Now()})
	return tok
}

func (m *Manager) Revoke(tok string) error {
	m.stateMu.Lock()
	defer m.stateMu.Unlock()
	s, ok := m.live[tok]
	if !ok {
		return ErrUnknown
	}
	delete(m.live, tok)
	if m.users[s.user]--; m.users[s.user] == 0 {
		delete(m.users, s.user)
	}
	m.notify(Event{Kind: "revoke", User: s.user, At: time.Now()})
	return nil
}

// Rotate exchanges the token of a session for a fresh one.
func (m *Manager) Rotate(tok string) (string, error) {
	m.stateMu.Lock()
	defer m.stateMu.Unlock()

	s, ok := m.live[tok]
	if !ok {
		return "", ErrUnknown
	}
	now := time.Now()
	if now.After(s.expires) {
		return "", ErrExpired
	}
	m.notify(Event{Kind: "rotate", User: s.user, At: now})

	fresh := newToken()
	s.rotated++
	s.expires = now.Add(m.ttl)
	delete(m.live, tok)
	m.live[fresh] = s
	return fresh, nil
}

// User resolves a token.
func (m *Manager) User(tok string) (string, error) {
	m.stateMu.Lock()
	defer m.stateMu.Unlock()
	s, ok := m.live[tok]
	switch {
	case !ok:
		return "", ErrUnknown
	case time.Now().After(s.expires):
		return "", ErrExpired
	}
	return s.user, nil
}

func (m *Manager) notify(ev Event) {
	if len(m.hooks) == 0 {
		return
	}
	m.stateMu.Unlock()
	defer m.stateMu.Lock()
	for _, h := range m.hooks {
		h(ev)
	}
}
