// Package spincell has entries with a spin lock of their own.
package spincell

import (
	"runtime"
	"sync"
	"sync/atomic"
)

type bucket struct {
	busy   atomic.Bool
	tokens int
	last   int64
}

// take. Right: busy is a lock: CompareAndSwap takes it, Store releases it.
func (b *bucket) take(now int64) bool {
	for !b.busy.CompareAndSwap(false, true) {
		runtime.Gosched()
	}
	if b.last != now {
		b.tokens, b.last = 10, now
	}
	ok := b.tokens > 0
	if ok {
		b.tokens--
	}
	b.busy.Store(false)
	return ok
}

// Limiter has a bucket for each user.
type Limiter struct {
	mu      sync.RWMutex
	buckets map[string]*bucket
}

// New makes one.
func New() *Limiter { return &Limiter{buckets: map[string]*bucket{}} }

// Allow asks the bucket of the user.
func (l *Limiter) Allow(user string, now int64) bool {
	l.mu.RLock()
	if b, ok := l.buckets[user]; ok {
		defer l.mu.RUnlock()
		return b.take(now)
	}
	l.mu.RUnlock()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.buckets[user] == nil {
		l.buckets[user] = &bucket{}
	}
	return l.buckets[user].take(now)
}
