// Package lohash remembers the sums of files that do not change.
package lohash

import (
	"crypto/sha256"
	"os"
	"sync"
)

type sum struct {
	of   [sha256.Size]byte
	size int
}

// Sums are of immutable files: a sum is the same whoever computes it.
type Sums struct {
	mu    sync.Mutex
	known map[string]sum
	most  int
}

// New remembers at most n.
func New(n int) *Sums { return &Sums{known: make(map[string]sum), most: n} }

// Of is the sum of the file.
func (s *Sums) Of(path string) ([sha256.Size]byte, error) {
	s.mu.Lock()
	if k, ok := s.known[path]; ok {
		s.mu.Unlock()
		return k.of, nil
	}
	s.mu.Unlock()
	data, err := os.ReadFile(path)
	if err != nil {
		return [sha256.Size]byte{}, err
	}
	k := sum{sha256.Sum256(data), len(data)}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.known) >= s.most {
		s.drop()
	}
	s.known[path] = k
	return k.of, nil
}

// drop is called with the lock held.
func (s *Sums) drop() {
	for path := range s.known {
		delete(s.known, path)
		return
	}
}

// Len is how many are known.
func (s *Sums) Len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.known)
}
