package quotamgr

import (
	"fmt"
	"sync"
)

type Resource string

type ledger struct {
	lock  sync.Locker
	usage map[string]map[Resource]int64
}

func (l *ledger) used(tenant string, r Resource) int64 {
	l.lock.Lock()
	defer l.lock.Unlock()
	return l.usage[tenant][r]
}

func (l *ledger) charge(tenant string, r Resource, n int64) {
	l.lock.Lock()
	defer l.lock.Unlock()
	m := l.usage[tenant]
	if m == nil {
		m = make(map[Resource]int64)
		l.usage[tenant] = m
	}
	m[r] += n
}

type Manager struct {
	led    *ledger
	limits map[Resource]int64
}

func NewManager(limits map[Resource]int64) *Manager {
	return &Manager{
		led:    &ledger{lock: new(sync.Mutex), usage: make(map[string]map[Resource]int64)},
		limits: limits,
	}
}

func (m *Manager) Reserve(tenant string, r Resource, n int64) error {
	limit, ok := m.limits[r]
	if !ok {
		return fmt.Errorf("quotamgr: unknown resource %q", r)
	}
	if used := m.led.used(tenant, r); used+n > limit {
		return fmt.Errorf("quotamgr: %s: %d of %d %s in use", tenant, used, limit, r)
	}
	m.led.charge(tenant, r, n)
	return nil
}

func (m *Manager) Release(tenant string, r Resource, n int64) {
	m.led.charge(tenant, r, -n)
}
