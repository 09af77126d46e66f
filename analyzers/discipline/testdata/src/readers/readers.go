package readers

import (
	"recent"
	"sync"
)

type Store struct {
	mu    sync.RWMutex
	cache *recent.Cache
	hits  counter
	tally tally
}

func New() *Store { return &Store{cache: recent.New()} }

func (s *Store) Put(k string, v any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cache.Add(k, v)
	s.hits.add()
	s.tally.add()
}

func (s *Store) Get(k string) any {
	s.mu.RLock()
	defer s.mu.RUnlock()
	v, _ := s.cache.Get(k) // want `s.cache.Get changes s.cache, and s.mu is held for reading only, which others can do at the same time; \(\*Store\).Put holds it for writing`
	s.hits.add()           // want `s.hits.add changes s.hits, and s.mu is held for reading only`
	s.tally.add()
	return v
}

// Len only reads, and what Copy changes is its caller's.
func (s *Store) Len() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	keys := make([]string, s.cache.Len())
	s.cache.Copy(keys)
	return len(keys)
}

type counter struct{ n int }

func (c *counter) add() { c.n++ }

// tally has a lock of its own.
type tally struct {
	mu sync.Mutex
	n  int
}

func (t *tally) add() {
	t.mu.Lock()
	t.n++
	t.mu.Unlock()
}

// Single is never changed under the lock for writing: it guards something else.
type Single struct {
	mu    sync.RWMutex
	names map[string]int
	cache *recent.Cache
}

func (s *Single) Get(k string) any {
	s.mu.RLock()
	defer s.mu.RUnlock()
	v, _ := s.cache.Get(k)
	return v
}

func (s *Single) Set(k string) {
	s.mu.Lock()
	s.names[k]++
	s.mu.Unlock()
}
