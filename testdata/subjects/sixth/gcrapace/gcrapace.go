// Package gcrapace limits request rates per tenant with the generic cell rate
// algorithm.
package gcrapace

import (
	"context"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// Plan is what a tenant is allowed.
type Plan struct {
	PerSecond float64
	Burst     int
}

func (p Plan) period() time.Duration {
	return time.Duration(float64(time.Second) / p.PerSecond)
}

type meter struct {
	period time.Duration
	slack  time.Duration
	tat    atomic.Int64 // theoretical arrival time, unix nanoseconds
	used   atomic.Int64 // last use, unix nanoseconds
}

func newMeter(p Plan) *meter {
	per := p.period()
	return &meter{period: per, slack: per * time.Duration(p.Burst)}
}

// take admits n cells, or says how long to wait for them.
func (m *meter) take(now time.Time, n int) (wait time.Duration, ok bool) {
	at := now.UnixNano()
	m.used.Store(at)

	tat := m.tat.Load()
	if tat < at {
		tat = at
	}
	next := tat + int64(m.period)*int64(n)
	if over := next - at - int64(m.slack); over > 0 {
		return time.Duration(over), false
	}
	m.tat.Store(next)
	return 0, true
}

type Limiter struct {
	planFor func(tenant string) Plan

	tenantsMu sync.Mutex
	tenants   map[string]*meter
}

func NewLimiter(ctx context.Context, planFor func(string) Plan) *Limiter {
	l := &Limiter{planFor: planFor, tenants: make(map[string]*meter)}
	go l.reap(ctx, 10*time.Minute)
	return l
}

func (l *Limiter) meter(tenant string) *meter {
	l.tenantsMu.Lock()
	defer l.tenantsMu.Unlock()
	m, ok := l.tenants[tenant]
	if !ok {
		m = newMeter(l.planFor(tenant))
		m.used.Store(time.Now().UnixNano())
		l.tenants[tenant] = m
	}
	return m
}

func (l *Limiter) reap(ctx context.Context, idle time.Duration) {
	t := time.NewTicker(idle / 2)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-t.C:
			limit := now.Add(-idle).UnixNano()
			l.tenantsMu.Lock()
			for name, m := range l.tenants {
				if m.used.Load() < limit {
					delete(l.tenants, name)
				}
			}
			l.tenantsMu.Unlock()
		}
	}
}

// Allow reports whether the tenant may make n requests now.
func (l *Limiter) Allow(tenant string, n int) bool {
	_, ok := l.meter(tenant).take(time.Now(), n)
	return ok
}

// Wait blocks until the tenant may make one request.
func (l *Limiter) Wait(ctx context.Context, tenant string) error {
	for {
		d, ok := l.meter(tenant).take(time.Now(), 1)
		if ok {
			return nil
		}
		t := time.NewTimer(d)
		select {
		case <-ctx.Done():
			t.Stop()
			return ctx.Err()
		case <-t.C:
		}
	}
}

// Middleware answers 429 to tenants above their rate.
func (l *Limiter) Middleware(tenantOf func(*http.Request) string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		d, ok := l.meter(tenantOf(r)).take(time.Now(), 1)
		if !ok {
			secs := int(d/time.Second) + 1
			w.Header().Set("Retry-After", strconv.Itoa(secs))
			http.Error(w, "too many requests", http.StatusTooManyRequests)
			return
		}
		next.ServeHTTP(w, r)
	})
}
