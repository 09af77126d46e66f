package meteredshards

import (
	"errors"
	"fmt"
	"hash/maphash"
	"sync"
	"time"
)

var (
	ErrNotFound = errors.New("meteredshards: no such session")
	ErrSameID   = errors.New("meteredshards: new id equals the old one")
)

type Session[T any] struct {
	Value   T
	Created time.Time
	Renamed int
}

type shard[T any] struct {
	sync.Mutex
	live map[string]*Session[T]
}

// Store spreads sessions over shards to keep lock contention low.
type Store[T any] struct {
	seed   maphash.Seed
	shards []*shard[T]
}

func NewStore[T any](n int) *Store[T] {
	s := &Store[T]{seed: maphash.MakeSeed(), shards: make([]*shard[T], n)}
	for i := range s.shards {
		s.shards[i] = &shard[T]{live: make(map[string]*Session[T])}
	}
	return s
}

func (s *Store[T]) shardFor(id string) *shard[T] {
	return s.shards[maphash.String(s.seed, id)%uint64(len(s.shards))]
}

func (s *Store[T]) Put(id string, v T) {
	sh := s.shardFor(id)
	sh.Lock()
	defer sh.Unlock()
	sh.live[id] = &Session[T]{Value: v, Created: time.Now()}
}

// Get returns a copy of the session.
func (s *Store[T]) Get(id string) (Session[T], error) {
	sh := s.shardFor(id)
	sh.Lock()
	defer sh.Unlock()
	sess, ok := sh.live[id]
	if !ok {
		return Session[T]{}, fmt.Errorf("%w: %s", ErrNotFound, id)
	}
	return *sess, nil
}

// Rename gives a session a fresh id, as one does after a login.
func (s *Store[T]) Rename(oldID, newID string) error {
	if oldID == newID {
		return ErrSameID
	}
	src, dst := s.shardFor(oldID), s.shardFor(newID)
	src.Lock()
	defer src.Unlock()
	sess, ok := src.live[oldID]
	if !ok {
		return fmt.Errorf("rename: %w: %s", ErrNotFound, oldID)
	}
	sess.Renamed++
	delete(src.live, oldID)
	dst.live[newID] = sess
	return nil
}

func (s *Store[T]) Delete(id string) {
	sh := s.shardFor(id)
	sh.Lock()
	defer sh.Unlock()
	delete(sh.live, id)
}

// Expire removes sessions older than maxAge, one shard at a time.
func (s *Store[T]) Expire(maxAge time.Duration) (n int) {
	limit := time.Now().Add(-maxAge)
	for _, sh := range s.shards {
		sh.Lock()
		for id, sess := range sh.live {
			if sess.Created.Before(limit) {
				delete(sh.live, id)
				n++
			}
		}
		sh.Unlock()
	}
	return n
}
