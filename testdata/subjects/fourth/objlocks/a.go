package objlocks

import (
	"os"
	"path/filepath"
	"sync"
)

type Store struct {
	root  string
	locks sync.Map // key -> *sync.Mutex
}

func NewStore(root string) (*Store, error) {
	if err := os.MkdirAll(root, 0o755); err != nil {
		return nil, err
	}
	return &Store{root: root}, nil
}

func (s *Store) lockFor(key string) *sync.Mutex {
	if v, ok := s.locks.Load(key); ok {
		return v.(*sync.Mutex)
	}
	mu := &sync.Mutex{}
	s.locks.Store(key, mu)
	return mu
}

func (s *Store) Put(key string, data []byte) error {
	mu := s.lockFor(key)
	mu.Lock()
	defer mu.Unlock()
	tmp := filepath.Join(s.root, key+".part")
	if err := os.WriteFile(tmp, data, 0o644); err != nil {
		return err
	}
	return os.Rename(tmp, filepath.Join(s.root, key))
}

func (s *Store) Get(key string) ([]byte, error) {
	mu := s.lockFor(key)
	mu.Lock()
	defer mu.Unlock()
	return os.ReadFile(filepath.Join(s.root, key))
}
