package owned

import (
	"net/http"
	"sync"
	"sync/atomic"
)

// Drainer is drained by one goroutine at a time, however many requests there are.
type Drainer struct {
	working       atomic.Bool
	state         atomic.Int32
	sent, flushed atomic.Int64
}

func (d *Drainer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if d.working.CompareAndSwap(false, true) {
		go d.drain()
	}
	if !d.begins() {
		return
	}
	go d.flush()
}

func (d *Drainer) begins() bool {
	for {
		switch s := d.state.Load(); s {
		case 0:
			if d.state.CompareAndSwap(s, 1) {
				return true
			}
		default:
			return false
		}
	}
}

func (d *Drainer) drain() {
	n := d.sent.Load()
	d.sent.Store(n + 1)
	d.working.Store(false)
}

func (d *Drainer) flush() {
	n := d.flushed.Load()
	d.flushed.Store(n + 1)
	d.state.Store(0)
}

// Sweeper lets a few goroutines in.
type Sweeper struct {
	n             atomic.Int32
	swept, called atomic.Int64
}

func (s *Sweeper) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.enter() {
		go s.sweep()
	}
	if !s.n.CompareAndSwap(0, 1) {
		go s.call()
	}
}

func (s *Sweeper) enter() bool {
	for {
		n := s.n.Load()
		if n >= 8 {
			return false
		}
		if s.n.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

func (s *Sweeper) sweep() {
	n := s.swept.Load() // want `two goroutines can both read s.swept before either stores it`
	s.swept.Store(n + 1)
	s.n.Add(-1)
}

func (s *Sweeper) call() {
	n := s.called.Load() // want `two goroutines can both read s.called before either stores it`
	s.called.Store(n + 1)
}

// Manager has one goroutine that manages, and one for each look.
type Manager struct {
	mu              sync.Mutex
	managing, quick bool
	rounds, looks   atomic.Int64
}

func (m *Manager) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.managing {
		m.managing = true
		go m.manage()
	}
	if !m.quick {
		go m.look()
	}
}

func (m *Manager) manage() {
	n := m.rounds.Load()
	m.rounds.Store(n + 1)
}

func (m *Manager) look() {
	n := m.looks.Load() // want `two goroutines can both read m.looks before either stores it`
	m.looks.Store(n + 1)
}
