package breaker

import (
	"context"
	"errors"
	"sync/atomic"
	"time"
)

const (
	closed int32 = iota
	open
	halfOpen
)

var ErrOpen = errors.New("breaker: circuit open")

type Breaker struct {
	state    atomic.Int32
	failures atomic.Int32
	openedAt atomic.Int64
	limit    int32
	cooldown time.Duration
}

func New(limit int32, cooldown time.Duration) *Breaker {
	return &Breaker{limit: limit, cooldown: cooldown}
}

func (b *Breaker) allow() bool {
	switch b.state.Load() {
	case closed:
		return true
	case open:
		since := time.Since(time.Unix(0, b.openedAt.Load()))
		if since < b.cooldown {
			return false
		}
		b.state.Store(halfOpen)
		return true
	default:
		return false
	}
}

func (b *Breaker) Do(ctx context.Context, fn func(context.Context) error) error {
	if !b.allow() {
		return ErrOpen
	}
	err := fn(ctx)
	if err != nil {
		if b.failures.Add(1) >= b.limit {
			b.openedAt.Store(time.Now().UnixNano())
			b.state.Store(open)
		}
		return err
	}
	b.failures.Store(0)
	b.state.CompareAndSwap(halfOpen, closed)
	return nil
}
