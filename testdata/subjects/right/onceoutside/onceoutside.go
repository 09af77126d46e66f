// Package onceoutside wraps what cannot be closed twice.
package onceoutside

import "sync"

// Store is a store.
type Store interface {
	Put(k, v string)
	Close() error
}

type memory struct {
	mu   sync.Mutex
	m    map[string]string
	once sync.Once
	stop chan struct{}
}

func (m *memory) Put(k, v string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.m[k] = v
}

func (m *memory) Close() error {
	m.once.Do(func() { close(m.stop) })
	return nil
}

type disk struct {
	mu   sync.Mutex
	log  []string
	stop chan struct{}
}

func (d *disk) Put(k, v string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.log = append(d.log, k+v)
}

// Close. Right: a disk is never seen but in a guarded, which calls this in its Once.
func (d *disk) Close() error {
	close(d.stop)
	return nil
}

type guarded struct {
	Store
	once sync.Once
	err  error
}

func (g *guarded) Close() error {
	g.once.Do(func() { g.err = g.Store.Close() })
	return g.err
}

// Memory makes one in memory.
func Memory() Store { return &memory{m: map[string]string{}, stop: make(chan struct{})} }

// Disk makes one on disk.
func Disk() Store { return &guarded{Store: &disk{stop: make(chan struct{})}} }
