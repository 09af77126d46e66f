package replayer

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"sync/atomic"
	"time"
)

type Log interface {
	ReadAt(ctx context.Context, pos uint64) (rec []byte, err error)
}

type Replayer struct {
	src   Log
	apply func([]byte) error
	pos   atomic.Uint64
	fails atomic.Uint64
	done  chan struct{}
}

func New(ctx context.Context, src Log, from uint64, apply func([]byte) error) *Replayer {
	r := &Replayer{src: src, apply: apply, done: make(chan struct{})}
	r.pos.Store(from)
	go r.run(ctx)
	return r
}

func (r *Replayer) run(ctx context.Context) {
	defer close(r.done)
	for ctx.Err() == nil {
		at := r.pos.Load()
		rec, err := r.src.ReadAt(ctx, at)
		switch {
		case errors.Is(err, io.EOF):
			time.Sleep(50 * time.Millisecond)
			continue
		case err != nil:
			slog.Error("replay", "pos", at, "err", err)
			return
		}
		if err := r.apply(rec); err != nil {
			r.fails.Store(r.fails.Load() + 1)
		}
		r.pos.Store(at + uint64(len(rec)))
	}
}

func (r *Replayer) Lag(head uint64) uint64 {
	if at := r.pos.Load(); at < head {
		return head - at
	}
	return 0
}

func (r *Replayer) Failures() uint64 { return r.fails.Load() }

func (r *Replayer) Wait() { <-r.done }
