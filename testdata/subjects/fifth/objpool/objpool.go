// Package objpool is a bounded pool of costly resources.
package objpool

import (
	"context"
	"errors"
	"io"
	"log"
	"sync/atomic"
	"time"
)

var ErrExhausted = errors.New("objpool: exhausted")

type item[T io.Closer] struct {
	value T
	born  time.Time
}

// Pool opens at most max resources at a time; the far side refuses more.
type Pool[T io.Closer] struct {
	open   func(context.Context) (T, error)
	idle   chan item[T]
	max    int64
	maxAge time.Duration

	total atomic.Int64
}

func New[T io.Closer](max int, maxAge time.Duration, open func(context.Context) (T, error)) *Pool[T] {
	return &Pool[T]{
		open:   open,
		idle:   make(chan item[T], max),
		max:    int64(max),
		maxAge: maxAge,
	}
}

func (p *Pool[T]) discard(it item[T]) {
	p.total.Add(-1)
	if err := it.value.Close(); err != nil {
		log.Printf("objpool: close: %v", err)
	}
}

func (p *Pool[T]) fresh(it item[T]) bool {
	return p.maxAge <= 0 || time.Since(it.born) < p.maxAge
}

func (p *Pool[T]) takeIdle() (item[T], bool) {
	for {
		select {
		case it := <-p.idle:
			if p.fresh(it) {
				return it, true
			}
			p.discard(it)
		default:
			return item[T]{}, false
		}
	}
}

func (p *Pool[T]) grow(ctx context.Context) (it item[T], err error) {
	if p.total.Load() >= p.max {
		return it, ErrExhausted
	}
	p.total.Add(1)
	defer func() {
		if err != nil {
			p.total.Add(-1)
		}
	}()
	v, err := p.open(ctx)
	if err != nil {
		return it, err
	}
	return item[T]{value: v, born: time.Now()}, nil
}

// Do runs fn with a resource of the pool. A resource on which fn fails is thrown away.
func (p *Pool[T]) Do(ctx context.Context, fn func(T) error) error {
	it, ok := p.takeIdle()
	if !ok {
		var err error
		if it, err = p.grow(ctx); err != nil {
			return err
		}
	}
	if err := fn(it.value); err != nil {
		p.discard(it)
		return err
	}
	select {
	case p.idle <- it:
	default:
		p.discard(it)
	}
	return nil
}

// InUse estimates how many resources are out.
func (p *Pool[T]) InUse() int { return int(p.total.Load()) - len(p.idle) }

// Shrink closes whatever idles now.
func (p *Pool[T]) Shrink() {
	for {
		it, ok := p.takeIdle()
		if !ok {
			return
		}
		p.discard(it)
	}
}
