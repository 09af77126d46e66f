package quotaadmin

import (
	"errors"
	"sync"
)

var ErrTenant = errors.New("quotaadmin: unknown tenant")

type Quotas struct {
	adminMu sync.Mutex
	mu      sync.RWMutex
	limits  map[string]int
	persist func(tenant string, limit int) error
}

func Load(limits map[string]int, persist func(string, int) error) *Quotas {
	q := &Quotas{limits: make(map[string]int, len(limits)), persist: persist}
	for t, l := range limits {
		q.limits[t] = l
	}
	return q
}

func (q *Quotas) Limit(tenant string) (int, bool) {
	q.mu.RLock()
	defer q.mu.RUnlock()
	l, ok := q.limits[tenant]
	return l, ok
}

func (q *Quotas) set(tenant string, l int) {
	q.mu.Lock()
	q.limits[tenant] = l
	q.mu.Unlock()
}

func (q *Quotas) Raise(tenant string, by int) error {
	q.adminMu.Lock()
	defer q.adminMu.Unlock()
	cur, ok := q.Limit(tenant)
	if !ok {
		return ErrTenant
	}
	if err := q.persist(tenant, cur+by); err != nil {
		return err
	}
	q.set(tenant, cur+by)
	return nil
}

func (q *Quotas) Create(tenant string, limit int) error {
	q.adminMu.Lock()
	defer q.adminMu.Unlock()
	if err := q.persist(tenant, limit); err != nil {
		return err
	}
	q.set(tenant, limit)
	return nil
}
