// Package content has a store whose keys tell what is stored.
package content

import (
	"regexp"
	"strings"
	"sync"
)

// Store keeps blobs by their digest, and expressions by their text.
type Store struct {
	mu    sync.Mutex
	blobs map[string][]byte
	exprs map[string]*regexp.Regexp
}

// New makes one.
func New() *Store {
	return &Store{blobs: map[string][]byte{}, exprs: map[string]*regexp.Regexp{}}
}

// Put stores a blob. Right: what is stored under a digest is what has the digest: two that store
// it store the same, and it is never changed.
func (s *Store) Put(digest string, read func() []byte) {
	key := "sha256/" + digest
	s.mu.Lock()
	_, ok := s.blobs[key]
	s.mu.Unlock()
	if ok {
		return
	}
	b := read()
	s.mu.Lock()
	s.blobs[key] = b
	s.mu.Unlock()
}

// Compiled compiles an expression. Right: two that compile it get the same, which is immutable.
func (s *Store) Compiled(text string) (*regexp.Regexp, error) {
	s.mu.Lock()
	re := s.exprs[strings.ToLower(text)]
	s.mu.Unlock()
	if re != nil {
		return re, nil
	}
	re, err := regexp.Compile("(?i)" + text)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	s.exprs[strings.ToLower(text)] = re
	s.mu.Unlock()
	return re, nil
}

// Get is a blob.
func (s *Store) Get(digest string) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.blobs["sha256/"+digest]
}
