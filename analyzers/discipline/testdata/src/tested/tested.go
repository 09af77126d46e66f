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

// Notes are made when the first one is taken.
type Notes struct {
	mu sync.RWMutex
	by map[string]string
}

func (n *Notes) init() {
	if n.by == nil {
		n.by = map[string]string{} // want `n.by is accessed here without the lock that all other functions hold for it`
	}
}

// Put takes a note.
func (n *Notes) Put(key, text string) {
	n.init()
	n.mu.Lock()
	defer n.mu.Unlock()
	n.by[key] = text
}

// Drop throws one away.
func (n *Notes) Drop(key string) {
	n.init()
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.by, key)
}

// At reads one.
func (n *Notes) At(key string) string {
	n.mu.RLock()
	defer n.mu.RUnlock()
	return n.by[key]
}

// Clear throws all away.
func (n *Notes) Clear() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.by = map[string]string{}
}
