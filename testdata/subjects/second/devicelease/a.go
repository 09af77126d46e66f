package devicelease

import (
	"fmt"
	"sync"
	"time"
)

type claim struct {
	holder string
	timer  *time.Timer
}

type Manager struct {
	ttl time.Duration

	mu     sync.Mutex
	claims map[string]*claim
}

func NewManager(ttl time.Duration) *Manager {
	return &Manager{ttl: ttl, claims: make(map[string]*claim)}
}

func (m *Manager) Claim(serial, holder string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if c, ok := m.claims[serial]; ok {
		if c.holder != holder {
			return fmt.Errorf("device %s held by %s", serial, c.holder)
		}
		c.timer.Stop()
	}
	c := &claim{holder: holder}
	c.timer = time.AfterFunc(m.ttl, func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		delete(m.claims, serial)
	})
	m.claims[serial] = c
	return nil
}

func (m *Manager) Release(serial, holder string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	c, ok := m.claims[serial]
	if !ok || c.holder != holder {
		return false
	}
	c.timer.Stop()
	delete(m.claims, serial)
	return true
}

func (m *Manager) Holder(serial string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if c := m.claims[serial]; c != nil {
		return c.holder
	}
	return ""
}
