package fine

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// Weighhouse is told of what has come in, or takes the lock.
type Weighhouse struct {
	mu     sync.RWMutex
	weight int
	carts  int
	limit  int
	came   chan struct{}
	rate   atomic.Int64
}

func NewWeighhouse(ctx context.Context) *Weighhouse {
	w := &Weighhouse{came: make(chan struct{}), limit: 12}
	go w.listen(ctx)
	go w.measure(ctx)
	return w
}

// listen reads what it was told of.
func (w *Weighhouse) listen(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-w.came:
			w.rate.Store(int64(w.weight))
		}
	}
}

// measure reads with the lock, and what is never set again without.
func (w *Weighhouse) measure(ctx context.Context) {
	t := time.NewTicker(time.Second)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
			w.mu.RLock()
			carts := w.carts
			w.mu.RUnlock()
			w.rate.Add(int64(carts % w.limit))
		}
	}
}

func (w *Weighhouse) Weigh(cart int) {
	w.mu.Lock()
	w.weight += cart
	w.carts++
	w.mu.Unlock()
	w.came <- struct{}{}
}
