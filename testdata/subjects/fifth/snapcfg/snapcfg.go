// Package snapcfg is a configuration store that readers use without locks.
package snapcfg

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

type Value struct {
	Text   string    `json:"text"`
	Source string    `json:"source"`
	Set    time.Time `json:"set"`
}

// snapshot is never changed once published.
type snapshot struct {
	rev    uint64
	values map[string]Value
}

type Store struct {
	cur atomic.Pointer[snapshot]

	hooksMu sync.Mutex
	hooks   []func(key string, v Value)
}

func New() *Store {
	s := &Store{}
	s.cur.Store(&snapshot{values: map[string]Value{}})
	return s
}

// Load reads defaults from a JSON file into a store that is not shared yet.
func Load(name string) (*Store, error) {
	raw, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	vals := map[string]Value{}
	if err := json.Unmarshal(raw, &vals); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	s := New()
	s.cur.Store(&snapshot{rev: 1, values: vals})
	return s, nil
}

func (s *Store) OnChange(fn func(string, Value)) {
	s.hooksMu.Lock()
	defer s.hooksMu.Unlock()
	s.hooks = append(s.hooks, fn)
}

func (s *Store) Get(key string) (string, bool) {
	v, ok := s.cur.Load().values[key]
	return v.Text, ok
}

func (s *Store) GetDuration(key string, def time.Duration) time.Duration {
	text, ok := s.Get(key)
	if !ok {
		return def
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		slog.Warn("bad duration in config", "key", key, "text", text)
		return def
	}
	return d
}

func (s *Store) Revision() uint64 { return s.cur.Load().rev }

// Set gives a key a new value. The admin API and the file watcher call it.
func (s *Store) Set(key, text, source string) uint64 {
	old := s.cur.Load()
	if v, ok := old.values[key]; ok && v.Text == text {
		return old.rev
	}
	next := &snapshot{rev: old.rev + 1, values: maps.Clone(old.values)}
	v := Value{Text: text, Source: source, Set: time.Now()}
	next.values[key] = v
	s.cur.Store(next)

	s.fire(key, v)
	return next.rev
}

func (s *Store) fire(key string, v Value) {
	s.hooksMu.Lock()
	hooks := s.hooks[:len(s.hooks):len(s.hooks)]
	s.hooksMu.Unlock()
	for _, fn := range hooks {
		fn(key, v)
	}
}

// Export writes the present configuration as JSON.
func (s *Store) Export() ([]byte, error) {
	return json.MarshalIndent(s.cur.Load().values, "", "  ")
}
