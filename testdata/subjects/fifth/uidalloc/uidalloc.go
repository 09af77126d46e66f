// Package uidalloc hands out ranges of unique numbers that survive restarts.
package uidalloc

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"
)

var ErrRange = errors.New("uidalloc: bad range size")

// Registry remembers the highest number handed out. Raise keeps the larger of the old and the new mark.
type Registry interface {
	Mark(ctx context.Context) (uint64, error)
	Raise(ctx context.Context, mark uint64) error
}

type Range struct{ First, Last uint64 }

func (r Range) Len() uint64 { return r.Last - r.First + 1 }

func (r Range) String() string { return fmt.Sprintf("[%d,%d]", r.First, r.Last) }

type Option func(*Allocator)

func WithTimeout(d time.Duration) Option { return func(a *Allocator) { a.timeout = d } }

func WithMaxRange(n uint64) Option { return func(a *Allocator) { a.maxRange = n } }

type Allocator struct {
	reg      Registry
	timeout  time.Duration
	maxRange uint64

	last     atomic.Uint64
	failures atomic.Uint64
}

// Open goes on after the mark that the registry remembers.
func Open(ctx context.Context, reg Registry, opts ...Option) (*Allocator, error) {
	a := &Allocator{reg: reg, timeout: time.Second, maxRange: 1 << 16}
	for _, opt := range opts {
		opt(a)
	}
	mark, err := reg.Mark(ctx)
	if err != nil {
		return nil, fmt.Errorf("uidalloc: open: %w", err)
	}
	a.last.Store(mark)
	return a, nil
}

// Reserve returns n numbers that nobody else has. Safe for concurrent use.
func (a *Allocator) Reserve(ctx context.Context, n uint64) (Range, error) {
	if n == 0 || n > a.maxRange {
		return Range{}, ErrRange
	}
	end := a.last.Add(n)
	r := Range{First: end - n + 1, Last: end}
	if err := a.persist(ctx, r); err != nil {
		a.last.Store(r.First - 1)
		return Range{}, err
	}
	return r, nil
}

func (a *Allocator) persist(ctx context.Context, r Range) error {
	pctx, cancel := context.WithTimeout(ctx, a.timeout)
	defer cancel()
	var err error
	for try := 1; try <= 3; try++ {
		if err = a.reg.Raise(pctx, r.Last); err == nil {
			return nil
		}
		if pctx.Err() != nil {
			break
		}
		slog.Debug("raise failed", "range", r, "try", try, "err", err)
	}
	a.failures.Add(1)
	return fmt.Errorf("uidalloc: persist %v: %w", r, err)
}

// Next reserves a single number.
func (a *Allocator) Next(ctx context.Context) (uint64, error) {
	r, err := a.Reserve(ctx, 1)
	return r.First, err
}

// Failures counts the reservations that were given up.
func (a *Allocator) Failures() uint64 { return a.failures.Load() }
