// Package hotconf serves configuration that is reloaded from a file at run time.
package hotconf

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"sync/atomic"
	"time"
)

// Snapshot is never changed once published.
type Snapshot struct {
	Version   int
	Loaded    time.Time
	Values    map[string]string
	Overrides map[string]string
}

// Lookup prefers an override.
func (s *Snapshot) Lookup(key string) (string, bool) {
	if v, ok := s.Overrides[key]; ok {
		return v, true
	}
	v, ok := s.Values[key]
	return v, ok
}

var ErrUnknownKey = errors.New("hotconf: unknown key")

type Manager struct {
	path  string
	every time.Duration
	log   *slog.Logger
	snap  atomic.Pointer[Snapshot]
}

func Open(ctx context.Context, path string, every time.Duration, log *slog.Logger) (*Manager, error) {
	m := &Manager{path: path, every: every, log: log}
	vals, _, err := m.read()
	if err != nil {
		return nil, fmt.Errorf("hotconf: initial load: %w", err)
	}
	m.snap.Store(&Snapshot{Version: 1, Loaded: time.Now(), Values: vals})
	go m.watch(ctx)
	return m, nil
}

func (m *Manager) read() (map[string]string, time.Time, error) {
	fi, err := os.Stat(m.path)
	if err != nil {
		return nil, time.Time{}, err
	}
	data, err := os.ReadFile(m.path)
	if err != nil {
		return nil, time.Time{}, err
	}
	vals := make(map[string]string)
	if err := json.Unmarshal(data, &vals); err != nil {
		return nil, time.Time{}, err
	}
	return vals, fi.ModTime(), nil
}

func (m *Manager) watch(ctx context.Context) {
	t := time.NewTicker(m.every)
	defer t.Stop()
	var last time.Time
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
		vals, mod, err := m.read()
		if err != nil {
			m.log.Error("config reload", "path", m.path, "err", err)
			continue
		}
		if mod.Equal(last) {
			continue
		}
		last = mod
		m.install(vals)
	}
}

// install publishes vals, keeping the overrides in force.
func (m *Manager) install(vals map[string]string) {
	for {
		old := m.snap.Load()
		next := &Snapshot{
			Version:   old.Version + 1,
			Loaded:    time.Now(),
			Values:    vals,
			Overrides: old.Overrides,
		}
		if m.snap.CompareAndSwap(old, next) {
			m.log.Info("config reloaded", "version", next.Version, "keys", len(vals))
			return
		}
	}
}

// Override pins key to value until the process ends; the admin handler calls it.
func (m *Manager) Override(key, value string) error {
	cur := m.snap.Load()
	if _, ok := cur.Values[key]; !ok {
		return fmt.Errorf("%w: %s", ErrUnknownKey, key)
	}
	next := *cur
	next.Overrides = maps.Clone(cur.Overrides)
	if next.Overrides == nil {
		next.Overrides = make(map[string]string)
	}
	next.Overrides[key] = value
	next.Version++
	m.log.Info("config override", "key", key, "version", next.Version)
	m.snap.Store(&next)
	return nil
}

// Get returns the value of key.
func (m *Manager) Get(key string) (string, error) {
	if v, ok := m.snap.Load().Lookup(key); ok {
		return v, nil
	}
	return "", fmt.Errorf("%w: %s", ErrUnknownKey, key)
}
