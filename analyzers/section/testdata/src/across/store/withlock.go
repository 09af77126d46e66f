package store

import "sync"

// Mutex runs functions with it held.
type Mutex struct{ sync.Mutex }

func (m *Mutex) WithLock(f func()) {
	m.Lock()
	defer m.Unlock()
	f()
}
