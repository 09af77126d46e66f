package pluginload

import (
	"fmt"
	"sync"
	"sync/atomic"
)

type Plugin interface {
	Name() string
	Init() error
}

type Registry struct {
	discover func() ([]Plugin, error)
	loaded   atomic.Bool

	mu      sync.RWMutex
	plugins map[string]Plugin
}

func NewRegistry(discover func() ([]Plugin, error)) *Registry {
	return &Registry{discover: discover, plugins: map[string]Plugin{}}
}

func (r *Registry) scan() error {
	found, err := r.discover()
	if err != nil {
		return fmt.Errorf("discover: %w", err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, p := range found {
		if err := p.Init(); err != nil {
			return fmt.Errorf("init %s: %w", p.Name(), err)
		}
		r.plugins[p.Name()] = p
	}
	return nil
}

func (r *Registry) Lookup(name string) (Plugin, bool, error) {
	if !r.loaded.Load() {
		if err := r.scan(); err != nil {
			return nil, false, err
		}
		r.loaded.Store(true)
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	p, ok := r.plugins[name]
	return p, ok, nil
}
