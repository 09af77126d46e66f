// Package waitclose waits for the senders in the goroutine that closes.
package waitclose

import (
	"sync"
	"sync/atomic"
)

// Feed has senders that register under a lock.
type Feed struct {
	mu      sync.Mutex
	closed  atomic.Bool
	senders sync.WaitGroup
	out     chan string
}

// New makes one.
func New() *Feed { return &Feed{out: make(chan string)} }

// enter registers a sender unless the feed is closed.
func (f *Feed) enter() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed.Load() {
		return false
	}
	f.senders.Add(1)
	return true
}

// Send sends. Right: enter and the setting of closed exclude each other, and who has entered is
// waited for; the second look is only for those who would block for long.
func (f *Feed) Send(s string) bool {
	if !f.enter() {
		return false
	}
	defer f.senders.Done()
	if f.closed.Load() {
		return false
	}
	f.out <- s
	return true
}

// Close ends it.
func (f *Feed) Close() {
	f.mu.Lock()
	first := f.closed.CompareAndSwap(false, true)
	f.mu.Unlock()
	if first {
		go func() {
			f.senders.Wait()
			close(f.out)
		}()
	}
}

// Out is what is received from.
func (f *Feed) Out() <-chan string { return f.out }
