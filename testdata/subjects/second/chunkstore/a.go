package chunkstore

import (
	"crypto/sha256"
	"sync"
)

type Hash [sha256.Size]byte

type Store struct {
	mu     sync.Mutex
	chunks map[Hash][]byte

	statMu sync.Mutex
	count  int
	total  int64
}

func New() *Store { return &Store{chunks: make(map[Hash][]byte)} }

func (s *Store) Add(data []byte) Hash {
	h := Hash(sha256.Sum256(data))
	s.mu.Lock()
	_, dup := s.chunks[h]
	if !dup {
		s.chunks[h] = data
	}
	s.mu.Unlock()
	if !dup {
		s.statMu.Lock()
		s.count++
		s.total += int64(len(data))
		s.statMu.Unlock()
	}
	return h
}

func (s *Store) Remove(h Hash) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	data, ok := s.chunks[h]
	if !ok {
		return false
	}
	delete(s.chunks, h)
	s.statMu.Lock()
	s.count--
	s.total -= int64(len(data))
	s.statMu.Unlock()
	return true
}

func (s *Store) Average() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.statMu.Lock()
	defer s.statMu.Unlock()
	if s.count == 0 {
		return 0
	}
	return s.total / int64(s.count)
}
