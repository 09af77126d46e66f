package fine

import (
	"sync"
	"sync/atomic"
)

// A Berth has room for some ships; those that find none wait for one to leave, and take the
// channel for that before they look.
type Berth struct {
	taken atomic.Int64
	room  int64

	mu   sync.Mutex
	left chan struct{}
}

func NewBerth(room int64) *Berth {
	return &Berth{room: room, left: make(chan struct{})}
}

func (b *Berth) Dock(stop <-chan struct{}) bool {
	for {
		b.mu.Lock()
		left := b.left
		b.mu.Unlock()
		n := b.taken.Load()
		if n < b.room {
			if b.taken.CompareAndSwap(n, n+1) {
				return true
			}
			continue
		}
		select {
		case <-left:
		case <-stop:
			return false
		}
	}
}

// DockAgain looks again when it has the channel.
func (b *Berth) DockAgain(stop <-chan struct{}) bool {
	for !b.try() {
		b.mu.Lock()
		left := b.left
		b.mu.Unlock()
		if b.try() {
			return true
		}
		select {
		case <-left:
		case <-stop:
			return false
		}
	}
	return true
}

func (b *Berth) try() bool {
	for {
		n := b.taken.Load()
		if n >= b.room {
			return false
		}
		if b.taken.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

func (b *Berth) Leave() {
	b.taken.Add(-1)
	next := make(chan struct{})
	b.mu.Lock()
	last := b.left
	b.left = next
	b.mu.Unlock()
	close(last)
}
