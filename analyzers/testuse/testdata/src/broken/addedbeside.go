package broken

import (
	"sync"
	"sync/atomic"
)

// Teller counts under one lock, and is set right under another one.
type Teller struct {
	drawing, settling sync.Mutex
	next              atomic.Uint64
	settled           uint64
}

func (t *Teller) Draw() uint64 {
	t.drawing.Lock()
	defer t.drawing.Unlock()
	return t.next.Add(1) - 1
}

func (t *Teller) Settle(n uint64) {
	t.settling.Lock()
	defer t.settling.Unlock()
	t.settled = n
	if n+1 > t.next.Load() { // want `t\.next is loaded and stored with t\.settling held, which \(\*Teller\)\.Draw does not take that adds to it: what is added in between is lost`
		t.next.Store(n + 1)
	}
}

func (t *Teller) Skip(n uint64) {
	t.settling.Lock()
	defer t.settling.Unlock()
	t.next.Store(t.next.Load() + n) // want `t\.next is loaded and stored with t\.settling held`
}
