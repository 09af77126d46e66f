package broken

import (
	"sync"
	"sync/atomic"
)

// Gong wakes whoever waits, and counts how often it was rung.
type Gong struct {
	mu   sync.Mutex
	cond *sync.Cond
	rung atomic.Bool
	n    int
}

func (g *Gong) Ring() {
	if !g.rung.Load() { // want `two goroutines can both pass the test of g.rung and both set it`
		g.rung.Store(true)
		g.mu.Lock()
		g.n++
		g.cond.Broadcast()
		g.mu.Unlock()
	}
}

// Halt is taken back by who sees it, who tells of it then.
type Halt struct {
	mu sync.Mutex
	on bool
	n  int
}

func (h *Halt) Set() {
	h.mu.Lock()
	h.on = true
	h.n++
	h.mu.Unlock()
}

func (h *Halt) IsSet() bool { return h.on }

func (h *Halt) Reset() {
	h.mu.Lock()
	h.on = false
	h.mu.Unlock()
}

func (h *Halt) Read(n int, tell func(int)) {
	for i := 0; i < n; i++ {
		if h.IsSet() { // want `two goroutines can both pass the test of h.on`
			h.Reset()
			tell(i)
		}
	}
}
