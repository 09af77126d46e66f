package breaker

import (
	"errors"
	"sync/atomic"
	"time"
)

const (
	stateClosed int32 = iota
	stateOpen
	stateHalfOpen
)

var ErrOpen = errors.New("circuit open")

type Breaker struct {
	state    atomic.Int32
	fails    atomic.Int32
	openedAt atomic.Int64
	max      int32
	cooldown time.Duration
}

func New(max int, cooldown time.Duration) *Breaker {
	return &Breaker{max: int32(max), cooldown: cooldown}
}

func (b *Breaker) allow() error {
	switch b.state.Load() {
	case stateClosed:
		return nil
	case stateHalfOpen:
		return ErrOpen
	}
	opened := time.Unix(0, b.openedAt.Load())
	if time.Since(opened) < b.cooldown {
		return ErrOpen
	}
	b.state.Store(stateHalfOpen)
	return nil
}

func (b *Breaker) trip() {
	b.openedAt.Store(time.Now().UnixNano())
	b.state.Store(stateOpen)
}

func (b *Breaker) Do(fn func() error) error {
	if err := b.allow(); err != nil {
		return err
	}
	if err := fn(); err != nil {
		if b.fails.Add(1) >= b.max {
			b.trip()
		}
		return err
	}
	b.fails.Store(0)
	b.state.CompareAndSwap(stateHalfOpen, stateClosed)
	return nil
}
