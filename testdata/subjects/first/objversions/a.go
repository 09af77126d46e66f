package objversions

import (
	"errors"
	"fmt"
	"sync"
)

var ErrConflict = errors.New("objversions: too many conflicts")

type Object struct {
	Version int64
	Labels  map[string]string
}

type Store struct {
	mu   sync.RWMutex
	objs map[string]Object
}

func NewStore() *Store { return &Store{objs: make(map[string]Object)} }

func (s *Store) Get(name string) (Object, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	o, ok := s.objs[name]
	return o, ok
}

func (s *Store) swap(name string, seen int64, labels map[string]string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.objs[name].Version != seen {
		return false
	}
	s.objs[name] = Object{Version: seen + 1, Labels: labels}
	return true
}

func (s *Store) Modify(name string, fn func(map[string]string) (map[string]string, error)) error {
	for try := 0; try < 10; try++ {
		cur, _ := s.Get(name)
		labels := make(map[string]string, len(cur.Labels))
		for k, v := range cur.Labels {
			labels[k] = v
		}
		next, err := fn(labels)
		if err != nil {
			return fmt.Errorf("modify %s: %w", name, err)
		}
		if s.swap(name, cur.Version, next) {
			return nil
		}
	}
	return ErrConflict
}
