package breaker

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"
)

var ErrOpen = errors.New("breaker: circuit open")

const (
	stateClosed int32 = iota
	stateOpen
	stateHalfOpen
)

type Settings struct {
	Name      string
	Threshold int64
	CoolDown  time.Duration
	Trip      func(name string)
}

// Breaker guards calls to one upstream. In the half-open state one trial call
// decides whether the circuit closes.
type Breaker struct {
	cfg      Settings
	state    atomic.Int32
	failures atomic.Int64
	openedAt atomic.Int64
}

func New(cfg Settings) *Breaker {
	if cfg.Threshold <= 0 {
		cfg.Threshold = 5
	}
	if cfg.CoolDown <= 0 {
		cfg.CoolDown = 10 * time.Second
	}
	return &Breaker{cfg: cfg}
}

func (b *Breaker) allow(now time.Time) error {
	switch b.state.Load() {
	case stateClosed:
		return nil
	case stateHalfOpen:
		return ErrOpen
	}
	if now.Sub(time.Unix(0, b.openedAt.Load())) < b.cfg.CoolDown {
		return ErrOpen
	}
	b.state.Store(stateHalfOpen)
	slog.Info("trying upstream again", "breaker", b.cfg.Name)
	return nil
}

func (b *Breaker) trip(from int32, now time.Time) {
	b.openedAt.Store(now.UnixNano())
	if !b.state.CompareAndSwap(from, stateOpen) {
		return
	}
	slog.Warn("circuit opened", "breaker", b.cfg.Name)
	if b.cfg.Trip != nil {
		b.cfg.Trip(b.cfg.Name)
	}
}

func (b *Breaker) onFailure(now time.Time) {
	if b.state.Load() == stateHalfOpen {
		b.trip(stateHalfOpen, now)
		return
	}
	if b.failures.Add(1) == b.cfg.Threshold {
		b.trip(stateClosed, now)
	}
}

func (b *Breaker) onSuccess() {
	b.failures.Store(0)
	if b.state.CompareAndSwap(stateHalfOpen, stateClosed) {
		slog.Info("circuit closed", "breaker", b.cfg.Name)
	}
}

// Do runs the call if the circuit lets it.
func Do[T any](ctx context.Context, b *Breaker, call func(context.Context) (T, error)) (T, error) {
	var zero T
	if err := b.allow(time.Now()); err != nil {
		return zero, err
	}
	v, err := call(ctx)
	switch {
	case err == nil:
		b.onSuccess()
		return v, nil
	case errors.Is(err, context.Canceled):
		b.onSuccess()
		return zero, err
	default:
		b.onFailure(time.Now())
		return zero, err
	}
}
