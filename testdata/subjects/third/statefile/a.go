package statefile

import (
	"encoding/json"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
)

type State struct {
	path  string
	dirty atomic.Bool

	mu   sync.Mutex
	vals map[string]json.RawMessage
}

func Load(path string) (*State, error) {
	s := &State{path: path, vals: map[string]json.RawMessage{}}
	b, err := os.ReadFile(path)
	switch {
	case os.IsNotExist(err):
		return s, nil
	case err != nil:
		return nil, err
	}
	if err := json.Unmarshal(b, &s.vals); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

func (s *State) Set(key string, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.vals[key] = b
	s.dirty.Store(true)
	return nil
}

func (s *State) Sync() error {
	if !s.dirty.Load() {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.dirty.Load() {
		return nil
	}
	b, err := json.MarshalIndent(s.vals, "", "  ")
	if err != nil {
		return err
	}
	tmp := s.path + ".tmp"
	if err := os.WriteFile(tmp, b, 0o600); err != nil {
		return err
	}
	if err := os.Rename(tmp, s.path); err != nil {
		return err
	}
	s.dirty.Store(false)
	return nil
}
