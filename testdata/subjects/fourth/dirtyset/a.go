package dirtyset

import (
	"context"
	"log"
	"sync"
)

type Writeback interface {
	Write(ctx context.Context, page int64) error
}

type Flusher struct {
	back  Writeback
	mu    sync.Mutex
	dirty map[int64]struct{}
	wake  chan struct{}
}

func NewFlusher(ctx context.Context, back Writeback) *Flusher {
	f := &Flusher{back: back, dirty: map[int64]struct{}{}, wake: make(chan struct{}, 1)}
	go f.loop(ctx)
	return f
}

func (f *Flusher) Mark(page int64) {
	f.mu.Lock()
	f.dirty[page] = struct{}{}
	f.mu.Unlock()
	select {
	case f.wake <- struct{}{}:
	default:
	}
}

func (f *Flusher) loop(ctx context.Context) {
	for {
		f.mu.Lock()
		pages := f.dirty
		f.dirty = make(map[int64]struct{})
		f.mu.Unlock()
		for p := range pages {
			if err := f.back.Write(ctx, p); err != nil {
				log.Printf("page %d: %v", p, err)
				f.Mark(p)
			}
		}
		select {
		case <-f.wake:
		case <-ctx.Done():
			return
		}
	}
}
