// Package syncprogress copies the shards of a snapshot to a new replica and reports how fast it goes.
package syncprogress

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"
)

type Shard struct {
	Name string
	Open func() (io.ReadCloser, error)
}

// Target stores one chunk of a shard.
type Target interface {
	PutChunk(ctx context.Context, shard string, off int64, chunk []byte) error
}

type Syncer struct {
	target  Target
	chunk   int
	workers int
	every   time.Duration

	total    atomic.Int64
	interval int64 // bytes since the last report
}

func New(t Target, workers int) *Syncer {
	return &Syncer{target: t, chunk: 256 << 10, workers: workers, every: time.Second}
}

// Run copies all shards; it returns the joined errors.
func (s *Syncer) Run(ctx context.Context, shards []Shard) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go s.report(ctx)

	work := make(chan Shard)
	errc := make(chan error, len(shards))
	var wg sync.WaitGroup
	for range s.workers {
		wg.Go(func() {
			for sh := range work {
				if err := s.copyShard(ctx, sh); err != nil {
					errc <- fmt.Errorf("shard %s: %w", sh.Name, err)
				}
			}
		})
	}
	for _, sh := range shards {
		work <- sh
	}
	close(work)
	wg.Wait()
	close(errc)

	var all []error
	for err := range errc {
		all = append(all, err)
	}
	return errors.Join(all...)
}

func (s *Syncer) copyShard(ctx context.Context, sh Shard) error {
	r, err := sh.Open()
	if err != nil {
		return err
	}
	defer r.Close()
	buf := make([]byte, s.chunk)
	var off int64
	for {
		n, err := io.ReadFull(r, buf)
		if n > 0 {
			if err := s.target.PutChunk(ctx, sh.Name, off, buf[:n]); err != nil {
				return err
			}
			off += int64(n)
			s.total.Add(int64(n))
			atomic.AddInt64(&s.interval, int64(n))
		}
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			return nil
		case err != nil:
			return err
		}
	}
}

func (s *Syncer) report(ctx context.Context) {
	t := time.NewTicker(s.every)
	defer t.Stop()
	var peak float64
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
			rate := float64(s.interval) / s.every.Seconds()
			s.interval = 0
			peak = max(peak, rate)
			slog.Info("replica sync", "total", s.total.Load(), "rate", rate, "peak", peak)
		}
	}
}

// Total is the number of bytes copied so far.
func (s *Syncer) Total() int64 { return s.total.Load() }
