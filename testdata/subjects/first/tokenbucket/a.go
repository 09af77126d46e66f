package tokenbucket

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"
)

type Bucket struct {
	tokens atomic.Int64
	burst  int64
	poll   time.Duration
}

func New(ctx context.Context, perSecond, burst int64) *Bucket {
	b := &Bucket{burst: burst, poll: time.Millisecond}
	b.tokens.Store(burst)
	go b.refill(ctx, time.Second/time.Duration(perSecond))
	return b
}

func (b *Bucket) refill(ctx context.Context, every time.Duration) {
	t := time.NewTicker(every)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			if b.tokens.Add(1) > b.burst {
				b.tokens.Add(-1)
			}
		case <-ctx.Done():
			return
		}
	}
}

func (b *Bucket) Wait(ctx context.Context, n int64) error {
	if n > b.burst {
		return fmt.Errorf("tokenbucket: %d exceeds burst %d", n, b.burst)
	}
	for {
		if n <= b.tokens.Load() {
			b.tokens.Add(-n)
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(b.poll):
		}
	}
}
