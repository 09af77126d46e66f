package agentstate

import (
	"context"
	"errors"
	"sync/atomic"
	"time"
)

const (
	stateIdle int32 = iota
	stateRunning
	stateDraining
)

var ErrNotIdle = errors.New("agent: not idle")

type Poller interface {
	Poll(ctx context.Context) error
}

type Agent struct {
	state    atomic.Int32
	poller   Poller
	interval time.Duration
	failures atomic.Uint64
}

func New(p Poller, every time.Duration) *Agent {
	return &Agent{poller: p, interval: every}
}

func (a *Agent) Start(ctx context.Context) error {
	if a.state.Load() != stateIdle {
		return ErrNotIdle
	}
	a.state.Store(stateRunning)
	go a.loop(ctx)
	return nil
}

func (a *Agent) loop(ctx context.Context) {
	t := time.NewTicker(a.interval)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			a.state.CompareAndSwap(stateRunning, stateDraining)
			return
		case <-t.C:
			if err := a.poller.Poll(ctx); err != nil {
				a.failures.Add(1)
			}
		}
	}
}

func (a *Agent) Running() bool { return a.state.Load() == stateRunning }
