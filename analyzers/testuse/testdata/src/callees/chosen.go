package callees

import (
	"errors"
	"sync"
)

type stream struct{ id int }

type Mux struct {
	mu      sync.RWMutex
	streams map[int]*stream
	peers   []string
}

func (m *Mux) free() (int, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	for id := 0; id < 100; id++ {
		if _, used := m.streams[id]; !used {
			return id, nil
		}
	}
	return 0, errors.New("all are taken")
}

func (m *Mux) register(id int, s *stream) {
	m.mu.Lock()
	m.streams[id] = s
	m.mu.Unlock()
}

// Open can find the same number free as another call.
func (m *Mux) Open() (*stream, error) {
	id, err := m.free() // want `both pass the test of m.streams \(in m.free\) and both set it`
	if err != nil {
		return nil, err
	}
	s := &stream{id}
	m.register(id, s)
	return s, nil
}

func (m *Mux) has(p string) bool {
	m.mu.RLock()
	defer m.mu.RUnlock()
	for _, q := range m.peers {
		if q == p {
			return true
		}
	}
	return false
}

// Add can add the same peer twice.
func (m *Mux) Add(p string) {
	if m.has(p) { // want `both pass the test of m.peers \(in m.has\) and both set it`
		return
	}
	m.mu.Lock()
	m.peers = append(m.peers, p)
	m.mu.Unlock()
}

// Join looks for itself, and so late that it need not.
func (m *Mux) Join(p string) {
	found := false
	m.mu.RLock()
	for _, q := range m.peers { // want `both pass the test of m.peers and both set it`
		if q == p {
			found = true
		}
	}
	m.mu.RUnlock()
	if !found {
		m.mu.Lock()
		m.peers = append(m.peers, p)
		m.mu.Unlock()
	}
}

// Enter looks and adds under one lock.
func (m *Mux) Enter(p string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	found := false
	for _, q := range m.peers {
		if q == p {
			found = true
		}
	}
	if !found {
		m.peers = append(m.peers, p)
	}
}
