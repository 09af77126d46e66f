// Package shardkv is a sharded in-memory store with expiry.
package shardkv

import (
	"errors"
	"hash/maphash"
	"sync"
	"time"
)

var ErrMissing = errors.New("shardkv: no such key")

type Sizer interface{ Size() int }

type item[V Sizer] struct {
	val     V
	size    int
	expires time.Time
}

func (i item[V]) dead(now time.Time) bool {
	return !i.expires.IsZero() && now.After(i.expires)
}

type shard[V Sizer] struct {
	sync.RWMutex
	m     map[string]item[V]
	bytes int
}

func (s *shard[V]) putLocked(key string, it item[V]) {
	if old, ok := s.m[key]; ok {
		s.bytes -= old.size
	}
	s.m[key] = it
	s.bytes += it.size
}

func (s *shard[V]) removeLocked(key string) bool {
	it, ok := s.m[key]
	if ok {
		s.bytes -= it.size
		delete(s.m, key)
	}
	return ok
}

type Store[V Sizer] struct {
	seed    maphash.Seed
	shards  []*shard[V]
	clock   func() time.Time
	expired func(key string)
}

func New[V Sizer](n int, expired func(string)) *Store[V] {
	s := &Store[V]{seed: maphash.MakeSeed(), clock: time.Now, expired: expired}
	for range n {
		s.shards = append(s.shards, &shard[V]{m: make(map[string]item[V])})
	}
	return s
}

func (s *Store[V]) shardOf(key string) *shard[V] {
	return s.shards[maphash.String(s.seed, key)%uint64(len(s.shards))]
}

// Set stores val under key; ttl zero means for ever.
func (s *Store[V]) Set(key string, val V, ttl time.Duration) {
	it := item[V]{val: val, size: val.Size() + len(key)}
	if ttl > 0 {
		it.expires = s.clock().Add(ttl)
	}
	sh := s.shardOf(key)
	sh.Lock()
	sh.putLocked(key, it)
	sh.Unlock()
}

// Get returns the value of key, and drops it if its time is over.
func (s *Store[V]) Get(key string) (V, error) {
	var none V
	sh := s.shardOf(key)
	sh.RLock()
	it, ok := sh.m[key]
	sh.RUnlock()
	if !ok {
		return none, ErrMissing
	}
	if !it.dead(s.clock()) {
		return it.val, nil
	}

	sh.Lock()
	removed := sh.removeLocked(key)
	sh.Unlock()
	if removed && s.expired != nil {
		s.expired(key)
	}
	return none, ErrMissing
}

// Delete reports whether key was there.
func (s *Store[V]) Delete(key string) bool {
	sh := s.shardOf(key)
	sh.Lock()
	defer sh.Unlock()
	return sh.removeLocked(key)
}

// Purge drops all that is expired.
func (s *Store[V]) Purge() (n int) {
	now := s.clock()
	for _, sh := range s.shards {
		sh.Lock()
		for k, it := range sh.m {
			if it.dead(now) && sh.removeLocked(k) {
				n++
			}
		}
		sh.Unlock()
	}
	return n
}

// Bytes adds up the shards' sizes.
func (s *Store[V]) Bytes() (total int) {
	for _, sh := range s.shards {
		sh.RLock()
		total += sh.bytes
		sh.RUnlock()
	}
	return total
}
