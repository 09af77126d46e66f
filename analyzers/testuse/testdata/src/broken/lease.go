package broken

import (
	"sync"
	"time"
)

// Leases keeps what is good for a while.
type Leases struct {
	mu sync.RWMutex
	m  map[string]time.Time
}

func (l *Leases) Valid(k string) bool {
	l.mu.RLock()
	end, ok := l.m[k] // want `two goroutines can both pass the test of l.m\[k\] and both delete it: l.mu is held for reading first`
	l.mu.RUnlock()
	if !ok {
		return false
	}
	if time.Now().After(end) {
		if l.mu.TryLock() {
			delete(l.m, k)
			l.mu.Unlock()
		}
		return false
	}
	return true
}

// Swept looks again.
func (l *Leases) Swept(k string) bool {
	l.mu.RLock()
	end, ok := l.m[k]
	l.mu.RUnlock()
	if !ok {
		return false
	}
	if time.Now().After(end) {
		if l.mu.TryLock() {
			if end, ok := l.m[k]; ok && time.Now().After(end) {
				delete(l.m, k)
			}
			l.mu.Unlock()
		}
		return false
	}
	return true
}

func (l *Leases) Renew(k string, d time.Duration) {
	l.mu.Lock()
	l.m[k] = time.Now().Add(d)
	l.mu.Unlock()
}
