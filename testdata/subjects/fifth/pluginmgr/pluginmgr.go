// Package pluginmgr starts plugins on first use and stops them together.
package pluginmgr

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sort"
	"sync"
	"time"
)

type Plugin interface {
	Start(ctx context.Context) error
	Stop() error
}

type Factory func(cfg map[string]string) (Plugin, error)

type instance struct {
	Plugin
	name  string
	since time.Time
}

type Manager struct {
	factories map[string]Factory // fixed by New
	log       *slog.Logger

	reg    sync.RWMutex
	active map[string]*instance
}

type Option func(*Manager)

func With(kind string, f Factory) Option {
	return func(m *Manager) { m.factories[kind] = f }
}

func New(log *slog.Logger, opts ...Option) *Manager {
	m := &Manager{
		factories: make(map[string]Factory),
		active:    make(map[string]*instance),
		log:       log,
	}
	for _, opt := range opts {
		opt(m)
	}
	return m
}

func (m *Manager) lookup(name string) *instance {
	m.reg.RLock()
	defer m.reg.RUnlock()
	return m.active[name]
}

// Ensure returns the running plugin of that name, after starting it if it does not run yet.
func (m *Manager) Ensure(ctx context.Context, kind, name string, cfg map[string]string) (Plugin, error) {
	if inst := m.lookup(name); inst != nil {
		return inst.Plugin, nil
	}
	f, ok := m.factories[kind]
	if !ok {
		return nil, fmt.Errorf("pluginmgr: no factory for %q", kind)
	}
	p, err := f(cfg)
	if err != nil {
		return nil, fmt.Errorf("create %s: %w", name, err)
	}
	if err := p.Start(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("start %s: %w", name, err), p.Stop())
	}
	inst := &instance{Plugin: p, name: name, since: time.Now()}
	m.reg.Lock()
	m.active[name] = inst
	m.reg.Unlock()
	m.log.Info("plugin started", "kind", kind, "name", name)
	return p, nil
}

// Unload stops one plugin.
func (m *Manager) Unload(name string) error {
	m.reg.Lock()
	inst, ok := m.active[name]
	delete(m.active, name)
	m.reg.Unlock()
	if !ok {
		return fmt.Errorf("pluginmgr: %q is not loaded", name)
	}
	m.log.Info("plugin stops", "name", name, "uptime", time.Since(inst.since))
	return inst.Stop()
}

func (m *Manager) Names() []string {
	m.reg.RLock()
	defer m.reg.RUnlock()
	names := make([]string, 0, len(m.active))
	for n := range m.active {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}

// Shutdown stops everything that runs.
func (m *Manager) Shutdown() error {
	m.reg.Lock()
	all := m.active
	m.active = make(map[string]*instance)
	m.reg.Unlock()

	var errs []error
	for name, inst := range all {
		if err := inst.Stop(); err != nil {
			errs = append(errs, fmt.Errorf("stop %s: %w", name, err))
		}
	}
	return errors.Join(errs...)
}
