package broken

import (
	"sync"
	"time"
)

// Bell rings for all who wait, and is hung up anew each time.
type Bell struct {
	mu   sync.Mutex
	rung chan struct{}
	n    int
}

func NewBell() *Bell { return &Bell{rung: make(chan struct{})} }

func (b *Bell) Ring() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.n++
	close(b.rung)
	b.rung = make(chan struct{})
}

func (b *Bell) Await(most time.Duration) bool {
	select {
	case <-b.rung: // want `b.rung is read here without b.mu, under which \(\*Bell\).Ring closes it and stores a new one`
		return true
	case <-time.After(most):
		return false
	}
}
