package broken

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// Weighhouse measures how much comes in by a goroutine of its own.
type Weighhouse struct {
	mu     sync.RWMutex
	weight int
	carts  int
	rate   atomic.Int64
}

func NewWeighhouse(ctx context.Context) *Weighhouse {
	w := &Weighhouse{}
	go w.measure(ctx)
	return w
}

func (w *Weighhouse) measure(ctx context.Context) {
	t := time.NewTicker(time.Second)
	defer t.Stop()
	last := 0
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
			w.rate.Store(int64(w.weight - last)) // want `w.weight is read here, turn by turn, by a goroutine of the object's own without w.mu, under which \(\*Weighhouse\).Weigh sets it at any time`
			last = w.weight
		}
	}
}

func (w *Weighhouse) Weigh(cart int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.weight += cart
	w.carts++
}

func (w *Weighhouse) Carts() int {
	w.mu.RLock()
	defer w.mu.RUnlock()
	return w.carts
}
