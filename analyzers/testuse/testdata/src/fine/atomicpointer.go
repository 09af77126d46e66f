package fine

import "sync/atomic"

// Valve has its atomic variables behind pointers, which are set once.
type Valve struct {
	mode   *atomic.Int32
	opened *atomic.Bool
	drain  chan struct{}
}

func NewValve() *Valve {
	return &Valve{mode: new(atomic.Int32), opened: new(atomic.Bool), drain: make(chan struct{})}
}

func (v *Valve) TryOpen() bool { return v.mode.CompareAndSwap(1, 2) }

func (v *Valve) Fault() {
	if v.mode.Load() != 1 {
		v.mode.Store(1) // again is as good as once
	}
}

func (v *Valve) Drain() {
	if !v.opened.Swap(true) {
		close(v.drain)
	}
}
