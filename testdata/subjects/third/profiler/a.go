package profiler

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"
)

const (
	idle int32 = iota
	starting
	running
)

var ErrActive = errors.New("profiler: already active")

type Sampler interface {
	Open() error
	Sample(time.Time) error
	Close() error
}

type Profiler struct {
	s     Sampler
	state int32
	taken int64
}

func New(s Sampler) *Profiler { return &Profiler{s: s} }

func (p *Profiler) Active() bool { return atomic.LoadInt32(&p.state) != idle }

func (p *Profiler) Start(ctx context.Context, every time.Duration) error {
	if p.Active() {
		return ErrActive
	}
	if !atomic.CompareAndSwapInt32(&p.state, idle, starting) {
		return ErrActive
	}
	if err := p.s.Open(); err != nil {
		atomic.StoreInt32(&p.state, idle)
		return fmt.Errorf("profiler: %w", err)
	}
	atomic.StoreInt32(&p.state, running)
	go p.loop(ctx, every)
	return nil
}

func (p *Profiler) loop(ctx context.Context, every time.Duration) {
	t := time.NewTicker(every)
	defer func() {
		t.Stop()
		p.s.Close()
		atomic.StoreInt32(&p.state, idle)
	}()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-t.C:
			if p.s.Sample(now) != nil {
				return
			}
			atomic.AddInt64(&p.taken, 1)
		}
	}
}
