// Package safemaps has a map for several goroutines.
package safemaps

import "sync"

type SyncMap[K comparable, V any] struct {
	mu sync.RWMutex
	m  map[K]V
}

func New[K comparable, V any]() *SyncMap[K, V] { return &SyncMap[K, V]{m: map[K]V{}} }

func (s *SyncMap[K, V]) Get(k K) (V, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	v, ok := s.m[k]
	return v, ok
}

func (s *SyncMap[K, V]) Add(k K, v V) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.m[k] = v
}
