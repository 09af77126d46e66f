// Package tested has tests, and functions that get at the variable by way of a value.
package tested

import "sync"

// Shard is a part of a cache.
type Shard struct {
	mu      sync.RWMutex
	index   map[string]int
	entries []int
}

// Get looks a key up.
func (s *Shard) Get(key string) int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.index[key]
}

// Set enters a key.
func (s *Shard) Set(key string, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.expire(n, s.removeOldest)
	s.index[key] = n
}

// Clean removes what is old.
func (s *Shard) Clean(now int) {
	s.mu.Lock()
	for s.expire(now, s.removeOldest) {
	}
	s.mu.Unlock()
}

func (s *Shard) expire(now int, remove func(string)) bool {
	if len(s.entries) < now {
		return false
	}
	remove("oldest")
	return true
}

func (s *Shard) removeOldest(key string) { delete(s.index, key) }

// Keys makes room for as many as there are before it takes the lock.
func (s *Shard) Keys() []string {
	keys := make([]string, 0, len(s.index)) // want `len\(s.index\) is accessed here without the lock that all other functions hold for it: s.mu in \(\*Shard\).Set`
	s.mu.RLock()
	for k := range s.index {
		keys = append(keys, k)
	}
	s.mu.RUnlock()
	return keys
}
