package store

import "sync"

// Mutex runs functions with it held.
type Mutex struct{ sync.Mutex }

func (m *Mutex) WithLock(f func()) {
	m.Lock()
	defer m.Unlock()
	f()
}

// Holding is known by what it does, not by its name.
func (m *Mutex) Holding(f func()) {
	m.Lock()
	f()
	m.Unlock()
}

// Attempt takes no lock.
func (m *Mutex) Attempt(f func()) { f() }
