package broken

import (
	"sync"
	"sync/atomic"
)

// A Berth has room for some ships; those that find none wait for one to leave.
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
		n := b.taken.Load() // want `b.taken can change, and b.left be closed, between the test and here, where the channel is taken in another critical section: \(\*Berth\).Leave has put the next one there by then`
		if n < b.room {
			if b.taken.CompareAndSwap(n, n+1) {
				return true
			}
			continue
		}
		b.mu.Lock()
		left := b.left
		b.mu.Unlock()
		select {
		case <-left:
		case <-stop:
			return false
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
