package broken

import (
	"sync"
	"sync/atomic"
)

// SeatLimiter is used by many goroutines.
type SeatLimiter struct {
	counts sync.Map
}

func (l *SeatLimiter) count(key string) *atomic.Int64 {
	v, _ := l.counts.LoadOrStore(key, &atomic.Int64{})
	return v.(*atomic.Int64)
}

func (l *SeatLimiter) Acquire(key string, most int64) bool {
	n := l.count(key)
	for {
		now := n.Load()
		if now >= most {
			return false
		}
		if n.CompareAndSwap(now, now+1) { // want `\(\*SeatLimiter\).Release can delete this count from counts`
			return true
		}
	}
}

func (l *SeatLimiter) Release(key string) {
	if l.count(key).Add(-1) == 0 {
		l.counts.Delete(key)
	}
}

// DeskLimiter is used by many goroutines.
type DeskLimiter struct {
	mu     sync.Mutex
	counts map[string]*atomic.Int32
}

func (l *DeskLimiter) count(key string) *atomic.Int32 {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := l.counts[key]
	if n == nil {
		n = new(atomic.Int32)
		l.counts[key] = n
	}
	return n
}

func (l *DeskLimiter) Enter(key string) int32 {
	return l.count(key).Add(1) // want `\(\*DeskLimiter\).Sweep can delete this count from counts`
}

func (l *DeskLimiter) Leave(key string) { l.count(key).Add(-1) }

func (l *DeskLimiter) Sweep() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for key, n := range l.counts {
		if n.Load() == 0 {
			delete(l.counts, key)
		}
	}
}
