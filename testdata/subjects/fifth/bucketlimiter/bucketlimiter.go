package bucketlimiter

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"
)

var ErrThrottled = errors.New("bucketlimiter: rate exceeded")

type Limits struct {
	Rate  int64 // tokens per interval
	Burst int64
	Every time.Duration
}

// Bucket is a token bucket without a lock; one goroutine refills it.
type Bucket struct {
	limits   Limits
	tokens   atomic.Int64
	rejected atomic.Uint64
	stop     context.CancelFunc
	wg       sync.WaitGroup
}

func NewBucket(ctx context.Context, l Limits) *Bucket {
	ctx, cancel := context.WithCancel(ctx)
	b := &Bucket{limits: l, stop: cancel}
	b.tokens.Store(l.Burst)
	b.wg.Go(func() { b.refill(ctx) })
	return b
}

func (b *Bucket) refill(ctx context.Context) {
	tick := time.NewTicker(b.limits.Every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			b.put(b.limits.Rate)
		}
	}
}

func (b *Bucket) put(n int64) {
	for {
		have := b.tokens.Load()
		if b.tokens.CompareAndSwap(have, min(have+n, b.limits.Burst)) {
			return
		}
	}
}

// Take withdraws n tokens or reports ErrThrottled.
func (b *Bucket) Take(n int64) error {
	if left := b.tokens.Add(-n); left < 0 {
		b.tokens.Store(0)
		if b.rejected.Add(1)%1000 == 1 {
			slog.Warn("throttling", "want", n, "short", -left)
		}
		return ErrThrottled
	}
	return nil
}

// Refund returns tokens of a request that was not forwarded after all.
func (b *Bucket) Refund(n int64) { b.put(n) }

// Forward takes the cost, runs the call and refunds when the call says so.
func (b *Bucket) Forward(ctx context.Context, cost int64, call func(context.Context) (forwarded bool, err error)) error {
	if err := b.Take(cost); err != nil {
		return err
	}
	sent, err := call(ctx)
	if !sent {
		b.Refund(cost)
	}
	return err
}

func (b *Bucket) Close() {
	b.stop()
	b.wg.Wait()
}
