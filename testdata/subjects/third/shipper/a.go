package shipper

import (
	"context"
	"errors"
	"sync/atomic"
	"time"
)

var ErrRunning = errors.New("shipper: already running")

type Source interface{ Drain() [][]byte }

type Target interface {
	Ship(ctx context.Context, recs [][]byte) error
}

type Shipper struct {
	src     Source
	dst     Target
	every   time.Duration
	running atomic.Bool
	dropped atomic.Int64
}

func New(src Source, dst Target, every time.Duration) *Shipper {
	return &Shipper{src: src, dst: dst, every: every}
}

func (s *Shipper) Running() bool { return s.running.Load() }

func (s *Shipper) Dropped() int64 { return s.dropped.Load() }

func (s *Shipper) begin(ctx context.Context) {
	s.running.Store(true)
	go func() {
		defer s.running.Store(false)
		t := time.NewTicker(s.every)
		defer t.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-t.C:
				recs := s.src.Drain()
				if err := s.dst.Ship(ctx, recs); err != nil {
					s.dropped.Add(int64(len(recs)))
				}
			}
		}
	}()
}

func (s *Shipper) Start(ctx context.Context) error {
	if s.Running() {
		return ErrRunning
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	s.begin(ctx)
	return nil
}
