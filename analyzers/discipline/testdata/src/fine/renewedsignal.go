package fine

import (
	"sync"
	"time"
)

// Bell gives out the channel under the lock.
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
	b.mu.Lock()
	rung := b.rung
	b.mu.Unlock()
	select {
	case <-rung:
		return true
	case <-time.After(most):
		return false
	}
}

// Wicket is closed once, and nothing comes in its place.
type Wicket struct {
	mu     sync.Mutex
	open   chan struct{}
	opened bool
}

func NewWicket() *Wicket { return &Wicket{open: make(chan struct{})} }

func (g *Wicket) Open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.opened {
		g.opened = true
		close(g.open)
	}
}

func (g *Wicket) Pass() { <-g.open }
