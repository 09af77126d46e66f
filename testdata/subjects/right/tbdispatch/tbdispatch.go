// Package tbdispatch has the state of a motor; one goroutine drives it.
package tbdispatch

import (
	"sync"
	"time"
)

type mode int

const (
	idle mode = iota
	busy
	broken
)

// terminal says whether there is a way out.
func terminal(m mode) bool { return m == broken }

// Motor is driven by its loop; whoever finds it broken says so.
type Motor struct {
	mu    sync.Mutex
	mode  mode
	turns int
	jobs  chan func() error
}

// New starts the loop.
func New() *Motor {
	m := &Motor{jobs: make(chan func() error)}
	go m.loop()
	return m
}

// Mode is the mode.
func (m *Motor) Mode() mode {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.mode
}

// setMode leaves a broken motor alone.
func (m *Motor) setMode(to mode) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.mode == to || terminal(m.mode) {
		return false
	}
	m.mode = to
	m.turns++
	return true
}

// Break breaks it for good.
func (m *Motor) Break() { m.setMode(broken) }

func (m *Motor) loop() {
	for job := range m.jobs {
		if m.Mode() != idle {
			time.Sleep(time.Millisecond)
			continue
		}
		if !m.setMode(busy) {
			continue
		}
		if err := job(); err != nil {
			m.Break()
			return
		}
		m.setMode(idle)
	}
}

// Do hands a job over.
func (m *Motor) Do(job func() error) { m.jobs <- job }
