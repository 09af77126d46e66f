package leasetimer

import (
	"errors"
	"sync"
	"time"
)

var ErrNotHeld = errors.New("lease not held")

type lease struct {
	owner string
	timer *time.Timer
}

type Manager struct {
	mu      sync.Mutex
	ttl     time.Duration
	leases  map[string]*lease
	expired func(resource, owner string)
}

func NewManager(ttl time.Duration, expired func(resource, owner string)) *Manager {
	return &Manager{ttl: ttl, leases: make(map[string]*lease), expired: expired}
}

func (m *Manager) Grant(resource, owner string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, taken := m.leases[resource]; taken {
		return false
	}
	m.leases[resource] = &lease{owner: owner, timer: m.arm(resource)}
	return true
}

func (m *Manager) arm(resource string) *time.Timer {
	return time.AfterFunc(m.ttl, func() {
		m.mu.Lock()
		l, ok := m.leases[resource]
		delete(m.leases, resource)
		m.mu.Unlock()
		if ok && m.expired != nil {
			m.expired(resource, l.owner)
		}
	})
}

func (m *Manager) Renew(resource, owner string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	l, ok := m.leases[resource]
	if !ok || l.owner != owner {
		return ErrNotHeld
	}
	l.timer.Stop()
	l.timer = m.arm(resource)
	return nil
}

func (m *Manager) Owner(resource string) (string, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if l, ok := m.leases[resource]; ok {
		return l.owner, true
	}
	return "", false
}
