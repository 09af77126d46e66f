package fine

import "sync"

type engine struct{ on bool }

func (e *engine) isOn() bool { return e.on }

// A Machine swaps its engine for one that is on as the old one was.
type Machine struct {
	mu     sync.RWMutex
	engine *engine
}

func (m *Machine) On() bool {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.engine.isOn()
}

func (m *Machine) swap(on bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.engine = &engine{on: on}
}

func (m *Machine) Renew() { m.swap(m.On()) }
