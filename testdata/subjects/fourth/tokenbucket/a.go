package tokenbucket

import (
	"context"
	"sync/atomic"
	"time"
)

type Bucket struct {
	tokens atomic.Int64
	burst  int64
	stop   chan struct{}
}

func New(rate time.Duration, burst int64) *Bucket {
	b := &Bucket{burst: burst, stop: make(chan struct{})}
	b.tokens.Store(burst)
	go b.refill(rate)
	return b
}

func (b *Bucket) refill(rate time.Duration) {
	t := time.NewTicker(rate)
	defer t.Stop()
	for {
		select {
		case <-b.stop:
			return
		case <-t.C:
			for {
				cur := b.tokens.Load()
				if cur >= b.burst || b.tokens.CompareAndSwap(cur, cur+1) {
					break
				}
			}
		}
	}
}

func (b *Bucket) Wait(ctx context.Context) error {
	for {
		if b.tokens.Load() > 0 {
			b.tokens.Add(-1)
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(5 * time.Millisecond):
		}
	}
}
