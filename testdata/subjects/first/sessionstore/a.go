package sessionstore

import (
	"crypto/rand"
	"encoding/hex"
	"sync"
	"time"
)

type Session struct {
	User string
	Seen time.Time
}

type Store struct {
	sync.RWMutex
	sessions map[string]Session
	idle     time.Duration
	done     chan struct{}
}

func NewStore(idle time.Duration) *Store {
	s := &Store{sessions: make(map[string]Session), idle: idle, done: make(chan struct{})}
	go s.janitor()
	return s
}

func (s *Store) Create(user string) (string, error) {
	var raw [16]byte
	if _, err := rand.Read(raw[:]); err != nil {
		return "", err
	}
	id := hex.EncodeToString(raw[:])
	s.Lock()
	defer s.Unlock()
	s.sessions[id] = Session{User: user, Seen: time.Now()}
	return id, nil
}

func (s *Store) Touch(id string) bool {
	s.Lock()
	defer s.Unlock()
	sess, ok := s.sessions[id]
	if ok {
		sess.Seen = time.Now()
		s.sessions[id] = sess
	}
	return ok
}

func (s *Store) janitor() {
	t := time.NewTicker(s.idle / 4)
	defer t.Stop()
	for {
		select {
		case <-s.done:
			return
		case now := <-t.C:
			var victims []string
			s.RLock()
			for id, sess := range s.sessions {
				if now.Sub(sess.Seen) > s.idle {
					victims = append(victims, id)
				}
			}
			s.RUnlock()
			for _, id := range victims {
				s.Lock()
				delete(s.sessions, id)
				s.Unlock()
			}
		}
	}
}
