package broken

import (
	"sync"
	"time"
)

type Backend interface {
	Start() error
	Stop()
}

// Registry replaces its backends in goroutines.
type Registry struct {
	mu      sync.RWMutex
	current Backend
	named   map[string]Backend
}

func (r *Registry) Use(b Backend) {
	r.mu.Lock()
	defer r.mu.Unlock()
	go func() {
		if b.Start() != nil {
			return
		}
		r.current.Stop()
		r.current = b // want `r.current is written here without r.mu: what \(\*Registry\).Use begins with the lock held runs on when it is released, while \(\*Registry\).Current accesses it with the lock held`
	}()
}

func (r *Registry) Current() Backend {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.current
}

func (r *Registry) Drop(name string, after time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	time.AfterFunc(after, func() {
		delete(r.named, name) // want `r.named is written here without r.mu: what \(\*Registry\).Drop begins`
	})
}

func (r *Registry) Named(name string) Backend {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.named[name]
}

// Mailroom runs a sorter as long as there is a chute.
type Mailroom struct {
	mu    sync.Mutex
	chute chan string
}

func (m *Mailroom) Post(letter string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.chute == nil {
		m.chute = make(chan string, 4)
		go m.sort()
	}
	m.chute <- letter
}

func (m *Mailroom) sort() {
	for letter := range m.chute { // want `m.chute is read here without m.mu: what \(\*Mailroom\).Post begins with the lock held runs on when it is released, while \(\*Mailroom\).Shut writes it with the lock held`
		println(letter)
	}
}

func (m *Mailroom) Shut() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.chute != nil {
		close(m.chute)
		m.chute = nil
	}
}
