package broken

import (
	"sync"
	"sync/atomic"
	"time"
)

// A Fuse lets one request through in a while, and compares the time with itself.
type Fuse struct {
	mu     sync.RWMutex
	blown  bool
	tested int64
}

func (f *Fuse) Try() bool {
	f.mu.RLock()
	defer f.mu.RUnlock()
	now := time.Now().UnixNano()
	if f.blown && now > f.tested+1000 { // want `CompareAndSwapInt64 compares f.tested with what it is at that moment: what other goroutines have put in since this load is overwritten`
		return atomic.CompareAndSwapInt64(&f.tested, f.tested, now)
	}
	return false
}

func (f *Fuse) Blow() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.blown {
		f.tested = time.Now().UnixNano()
		f.blown = true
	}
}
