package artifacts

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"sync"
)

var ErrNotFound = errors.New("artifact not found")

type Store struct {
	mu    sync.RWMutex
	blobs map[string][]byte

	statMu sync.Mutex
	in     int64
	out    int64
}

func NewStore() *Store { return &Store{blobs: make(map[string][]byte)} }

func (s *Store) count(in, out int64) {
	s.statMu.Lock()
	defer s.statMu.Unlock()
	s.in += in
	s.out += out
}

func (s *Store) Put(r io.Reader) (string, error) {
	b, err := io.ReadAll(r)
	if err != nil {
		return "", fmt.Errorf("put: %w", err)
	}
	sum := sha256.Sum256(b)
	digest := hex.EncodeToString(sum[:])

	s.mu.Lock()
	s.blobs[digest] = b
	s.mu.Unlock()

	s.count(int64(len(b)), 0)
	return digest, nil
}

func (s *Store) WriteBlob(w io.Writer, digest string) error {
	s.mu.RLock()
	b, ok := s.blobs[digest]
	s.mu.RUnlock()
	if !ok {
		return fmt.Errorf("%s: %w", digest, ErrNotFound)
	}
	n, err := w.Write(b)
	s.count(0, int64(n))
	return err
}

func (s *Store) Report() string {
	s.statMu.Lock()
	defer s.statMu.Unlock()
	return fmt.Sprintf("in %d, out %d", s.in, s.out)
}
