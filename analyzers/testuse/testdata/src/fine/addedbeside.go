package fine

import (
	"sync"
	"sync/atomic"
)

// Numberer draws and is set right under one lock, and read without it.
type Numberer struct {
	mu      sync.Mutex
	next    atomic.Uint64
	dropped atomic.Int64
	settled uint64
}

func (n *Numberer) Draw() uint64 {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.next.Add(1) - 1
}

func (n *Numberer) Settle(to uint64) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.settled = to
	if to+1 > n.next.Load() {
		n.next.Store(to + 1)
	}
}

func (n *Numberer) Next() uint64 { return n.next.Load() }

func (n *Numberer) Drop() { n.dropped.Add(1) }

// Tell begins anew when it has told: what is dropped meanwhile does not matter.
func (n *Numberer) Tell(out func(int64)) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if d := n.dropped.Load(); d > 100 {
		n.dropped.Store(0)
		out(d)
	}
}
