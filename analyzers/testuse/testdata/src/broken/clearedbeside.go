package broken

import (
	"sync"
	"sync/atomic"
)

type Brake struct{ n atomic.Int64 }

func (b *Brake) Press(n int) { b.n.Add(int64(n)) }

// Wagon may be told to roll free while it is braked.
type Wagon struct {
	mu     sync.Mutex
	speed  int
	brake  *Brake
	rolled atomic.Int64
}

func (w *Wagon) Roll(n int) {
	if w.brake != nil && n > 0 { // want `another goroutine can change w\.brake after it was tested and before it is used: no lock is held`
		w.brake.Press(n)
	}
	w.rolled.Add(int64(n))
}

func (w *Wagon) SetBrake(on bool) {
	if on {
		w.brake = &Brake{}
	} else {
		w.brake = nil
	}
}

func (w *Wagon) Speed() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.speed
}
