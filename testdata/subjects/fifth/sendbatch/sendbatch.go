// Package sendbatch groups single items into batches for a bulk endpoint.
package sendbatch

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"
)

var ErrClosed = errors.New("sendbatch: closed")

type Sink[T any] func(ctx context.Context, batch []T) error

type options struct {
	size   int
	linger time.Duration
	log    *slog.Logger
}

type Option func(*options)

func WithSize(n int) Option                 { return func(o *options) { o.size = n } }
func WithLinger(d time.Duration) Option     { return func(o *options) { o.linger = d } }
func WithLogger(logger *slog.Logger) Option { return func(o *options) { o.log = logger } }

// Batcher may be fed by any number of goroutines.
type Batcher[T any] struct {
	opts   options
	sink   Sink[T]
	in     chan T
	closed atomic.Bool
	drain  chan struct{}

	sent, dropped atomic.Uint64
}

func New[T any](sink Sink[T], opts ...Option) *Batcher[T] {
	o := options{size: 100, linger: 50 * time.Millisecond, log: slog.Default()}
	for _, fn := range opts {
		fn(&o)
	}
	b := &Batcher[T]{opts: o, sink: sink, in: make(chan T, o.size), drain: make(chan struct{})}
	go b.collect()
	return b
}

// Add hands one item over; it blocks while the sink is behind.
func (b *Batcher[T]) Add(ctx context.Context, item T) error {
	if b.closed.Load() {
		return ErrClosed
	}
	select {
	case b.in <- item:
		return nil
	case <-ctx.Done():
		b.dropped.Add(1)
		return fmt.Errorf("sendbatch: add: %w", ctx.Err())
	}
}

// Close flushes what is buffered and waits for it.
func (b *Batcher[T]) Close() error {
	if !b.closed.CompareAndSwap(false, true) {
		return ErrClosed
	}
	close(b.in)
	<-b.drain
	return nil
}

func (b *Batcher[T]) Counts() (sent, dropped uint64) {
	return b.sent.Load(), b.dropped.Load()
}

func (b *Batcher[T]) collect() {
	defer close(b.drain)
	timer := time.NewTimer(b.opts.linger)
	defer timer.Stop()
	batch := make([]T, 0, b.opts.size)
	flush := func() {
		if len(batch) > 0 {
			b.push(batch)
			batch = make([]T, 0, b.opts.size)
		}
		timer.Reset(b.opts.linger)
	}
	for {
		select {
		case item, ok := <-b.in:
			if !ok {
				flush()
				return
			}
			if batch = append(batch, item); len(batch) == b.opts.size {
				flush()
			}
		case <-timer.C:
			flush()
		}
	}
}

func (b *Batcher[T]) push(batch []T) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := b.sink(ctx, batch); err != nil {
		b.dropped.Add(uint64(len(batch)))
		b.opts.log.Error("batch lost", "items", len(batch), "err", err)
		return
	}
	b.sent.Add(uint64(len(batch)))
}
