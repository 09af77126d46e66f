// Package rlocksend sends under a lock for reading.
package rlocksend

import (
	"sync"
	"sync/atomic"
	"time"
)

// Bus has many senders.
type Bus struct {
	closed atomic.Bool
	mu     sync.RWMutex
	out    chan int
}

// New makes one.
func New() *Bus { return &Bus{out: make(chan int, 8)} }

// Send sends. Right: look and send are in one hold of mu, and the close holds it for writing
// after closed was set.
func (b *Bus) Send(v int) bool {
	b.mu.RLock()
	defer b.mu.RUnlock()
	if b.closed.Load() {
		return false
	}
	select {
	case b.out <- v:
		return true
	default:
		return false
	}
}

// Close closes a while later, so that the readers can empty it.
func (b *Bus) Close() {
	if b.closed.CompareAndSwap(false, true) {
		time.AfterFunc(time.Second, func() {
			b.mu.Lock()
			defer b.mu.Unlock()
			close(b.out)
		})
	}
}

// Out is what is received from.
func (b *Bus) Out() <-chan int { return b.out }
