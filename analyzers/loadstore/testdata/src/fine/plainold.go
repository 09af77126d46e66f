package fine

import (
	"sync"
	"sync/atomic"
	"time"
)

// SlowFuse compares with what it has looked at, or holds the lock for writing.
type SlowFuse struct {
	mu     sync.RWMutex
	blown  bool
	tested atomic.Int64
	since  int64
}

func (f *SlowFuse) Try() bool {
	f.mu.RLock()
	defer f.mu.RUnlock()
	now, tested := time.Now().UnixNano(), f.tested.Load()
	if f.blown && now > tested+1000 {
		return f.tested.CompareAndSwap(tested, now)
	}
	return false
}

func (f *SlowFuse) Since() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := time.Now().UnixNano()
	if now > f.since+1000 {
		return atomic.CompareAndSwapInt64(&f.since, f.since, now)
	}
	return false
}
