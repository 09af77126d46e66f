package heartbeat

import (
	"context"
	"errors"
	"sync/atomic"
	"time"
)

var ErrRunning = errors.New("heartbeat: already running")

type Beat func(ctx context.Context) error

type Beater struct {
	beat    Beat
	every   time.Duration
	running atomic.Bool
	misses  atomic.Int32
	onLost  func()
}

func New(beat Beat, every time.Duration, onLost func()) *Beater {
	return &Beater{beat: beat, every: every, onLost: onLost}
}

func (b *Beater) Start(ctx context.Context) error {
	if b.running.Load() {
		return ErrRunning
	}
	if !b.running.CompareAndSwap(false, true) {
		return ErrRunning
	}
	go b.loop(ctx)
	return nil
}

func (b *Beater) loop(ctx context.Context) {
	defer b.running.Store(false)
	t := time.NewTicker(b.every)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
		if err := b.beat(ctx); err != nil {
			if b.misses.Add(1) == 3 {
				b.onLost()
			}
			continue
		}
		b.misses.Store(0)
	}
}

func (b *Beater) Running() bool { return b.running.Load() }
