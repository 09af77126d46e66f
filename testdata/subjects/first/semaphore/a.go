package semaphore

import (
	"context"
	"errors"
	"sync/atomic"
	"time"
)

var ErrTooMany = errors.New("semaphore: weight exceeds capacity")

type Weighted struct {
	cap  int64
	used atomic.Int64
	wake chan struct{}
}

func NewWeighted(capacity int64) *Weighted {
	return &Weighted{cap: capacity, wake: make(chan struct{}, 1)}
}

func (w *Weighted) TryAcquire(n int64) bool {
	for {
		cur := w.used.Load()
		if cur+n > w.cap {
			return false
		}
		if w.used.CompareAndSwap(cur, cur+n) {
			return true
		}
	}
}

func (w *Weighted) Acquire(ctx context.Context, n int64) error {
	if n > w.cap {
		return ErrTooMany
	}
	for !w.TryAcquire(n) {
		select {
		case <-w.wake:
		case <-time.After(5 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

func (w *Weighted) Release(n int64) {
	w.used.Add(-n)
	select {
	case w.wake <- struct{}{}:
	default:
	}
}
