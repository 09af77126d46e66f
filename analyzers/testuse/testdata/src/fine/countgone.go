package fine

import (
	"sync"
	"sync/atomic"
)

// BenchLimiter is used by many goroutines.
type BenchLimiter struct {
	mu     sync.Mutex
	counts map[string]*atomic.Int32
	totals sync.Map
}

// Enter counts under the lock.
func (l *BenchLimiter) Enter(key string) int32 {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := l.counts[key]
	if n == nil {
		n = new(atomic.Int32)
		l.counts[key] = n
	}
	return n.Add(1)
}

func (l *BenchLimiter) Leave(key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := l.counts[key]
	if n != nil && n.Add(-1) == 0 {
		delete(l.counts, key)
	}
}

// Total counts what stays for good.
func (l *BenchLimiter) Total(key string) int64 {
	v, _ := l.totals.LoadOrStore(key, &atomic.Int64{})
	return v.(*atomic.Int64).Add(1)
}

func (l *BenchLimiter) Forget(key string) { l.totals.Delete(key) }

// ChairLimiter is used by many goroutines.
type ChairLimiter struct {
	counts sync.Map
}

// Enter makes sure that the count is there still.
func (l *ChairLimiter) Enter(key string) int64 {
	for {
		v, _ := l.counts.LoadOrStore(key, &atomic.Int64{})
		n := v.(*atomic.Int64)
		got := n.Add(1)
		if again, ok := l.counts.Load(key); ok && again == v {
			return got
		}
	}
}

func (l *ChairLimiter) Sweep(key string) {
	if v, ok := l.counts.Load(key); ok && v.(*atomic.Int64).Load() == 0 {
		l.counts.CompareAndDelete(key, v)
	}
}
