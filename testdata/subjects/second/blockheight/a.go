package blockheight

import (
	"context"
	"sync/atomic"
)

type Header struct {
	Number int64
	Hash   [32]byte
	Parent [32]byte
}

type HeaderSource interface {
	Next(ctx context.Context) (Header, error)
}

type Tracker struct {
	best int64
	seen int64
}

func NewTracker(start int64) *Tracker {
	return &Tracker{best: start}
}

func (t *Tracker) Follow(ctx context.Context, sources ...HeaderSource) {
	for _, src := range sources {
		go func(src HeaderSource) {
			for ctx.Err() == nil {
				h, err := src.Next(ctx)
				if err != nil {
					return
				}
				t.Observe(h)
			}
		}(src)
	}
}

func (t *Tracker) Observe(h Header) {
	atomic.AddInt64(&t.seen, 1)
	if h.Number > atomic.LoadInt64(&t.best) {
		atomic.StoreInt64(&t.best, h.Number)
	}
}

func (t *Tracker) Best() int64 { return atomic.LoadInt64(&t.best) }

func (t *Tracker) Seen() int64 { return atomic.LoadInt64(&t.seen) }
