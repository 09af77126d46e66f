package broken

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

// TryOpen is to let one through.
func (v *Valve) TryOpen() bool {
	if v.mode.Load() != 1 { // want `two goroutines can both pass the test of v.mode and both set it`
		return false
	}
	v.mode.Store(2)
	return true
}

func (v *Valve) Fault()  { v.mode.Store(1) }
func (v *Valve) Mended() { v.mode.CompareAndSwap(2, 0) }

func (v *Valve) Drain() {
	if !v.opened.Load() { // want `two goroutines can both pass the test of v.opened and close v.drain twice`
		v.opened.Store(true)
		close(v.drain)
	}
}
