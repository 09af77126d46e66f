// Package halfopen is a circuit breaker around calls to a flaky dependency.
package halfopen

import (
	"context"
	"errors"
	"sync/atomic"
	"time"
)

const (
	stClosed int32 = iota
	stOpen
	stHalf
)

var ErrOpen = errors.New("halfopen: circuit open")

type Settings struct {
	Threshold int32
	Cooldown  time.Duration
	Trials    int32
	OnState   func(name string, from, to int32)
}

type Breaker struct {
	name string
	set  Settings

	state    atomic.Int32
	failures atomic.Int32
	trials   atomic.Int32
	openedAt atomic.Int64
	now      func() time.Time
}

func New(name string, set Settings) *Breaker {
	if set.Trials <= 0 {
		set.Trials = 1
	}
	return &Breaker{name: name, set: set, now: time.Now}
}

func (b *Breaker) shift(from, to int32) bool {
	if !b.state.CompareAndSwap(from, to) {
		return false
	}
	if b.set.OnState != nil {
		b.set.OnState(b.name, from, to)
	}
	return true
}

// Allow says whether a call may go out now; done must be called afterwards.
func (b *Breaker) Allow() (done func(error), err error) {
	switch b.state.Load() {
	case stClosed:
		return b.settleClosed, nil
	case stOpen:
		since := b.now().UnixNano() - b.openedAt.Load()
		if time.Duration(since) < b.set.Cooldown {
			return nil, ErrOpen
		}
		b.shift(stOpen, stHalf)
	}

	if b.trials.Load() >= b.set.Trials {
		return nil, ErrOpen
	}
	b.trials.Add(1)
	return b.settleTrial, nil
}

func (b *Breaker) settleClosed(err error) {
	if err == nil {
		b.failures.Store(0)
		return
	}
	if b.failures.Add(1) >= b.set.Threshold {
		b.trip(stClosed)
	}
}

func (b *Breaker) settleTrial(err error) {
	defer b.trials.Add(-1)
	if err != nil {
		b.trip(stHalf)
		return
	}
	b.failures.Store(0)
	b.shift(stHalf, stClosed)
}

func (b *Breaker) trip(from int32) {
	b.openedAt.Store(b.now().UnixNano())
	b.shift(from, stOpen)
}

// Do runs fn under the breaker.
func (b *Breaker) Do(ctx context.Context, fn func(context.Context) error) error {
	done, err := b.Allow()
	if err != nil {
		return err
	}
	defer func() {
		if r := recover(); r != nil {
			done(errors.New("halfopen: call panicked"))
			panic(r)
		}
	}()
	err = fn(ctx)
	if errors.Is(err, context.Canceled) {
		done(nil)
		return err
	}
	done(err)
	return err
}
