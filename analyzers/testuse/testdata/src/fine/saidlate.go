package fine

import (
	"log"
	"sync"
	"sync/atomic"
)

// Bridge is opened for ships.
type Bridge struct {
	mu   sync.Mutex
	open bool
	once atomic.Bool
	up   chan struct{}
}

// Raise looks again: the name is that of another condition by the time it is asked.
func (b *Bridge) Raise() {
	b.mu.Lock()
	open := b.open
	b.mu.Unlock()
	if open {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	open = b.open
	log.Print("asked")
	if !open {
		b.open = true
		close(b.up)
	}
}

// Lower lets one caller pass.
func (b *Bridge) Lower() {
	first := b.once.CompareAndSwap(false, true)
	log.Print("asked")
	switch {
	case first:
		close(b.up)
	}
}
