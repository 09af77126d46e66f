package leaderflag

import (
	"context"
	"sync/atomic"
	"time"
)

type Lease interface {
	Acquire(ctx context.Context, holder string) (bool, error)
}

type Elector struct {
	id        string
	lease     Lease
	leading   atomic.Bool
	OnElected func()
}

func New(id string, l Lease, cb func()) *Elector {
	return &Elector{id: id, lease: l, OnElected: cb}
}

func (e *Elector) Leading() bool { return e.leading.Load() }

func (e *Elector) becomeLeader() {
	e.leading.Store(true)
	e.OnElected()
}

func (e *Elector) tick(ctx context.Context) error {
	ok, err := e.lease.Acquire(ctx, e.id)
	if err != nil {
		return err
	}
	if ok {
		if !e.Leading() {
			e.becomeLeader()
		}
		return nil
	}
	e.leading.Store(false)
	return nil
}

func (e *Elector) Run(ctx context.Context, every time.Duration) {
	t := time.NewTicker(every)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			_ = e.tick(ctx)
		case <-ctx.Done():
			return
		}
	}
}

func (e *Elector) Nudge(ctx context.Context) error { return e.tick(ctx) }
