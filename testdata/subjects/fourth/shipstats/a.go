package shipstats

import (
	"context"
	"io"
	"log/slog"
	"sync/atomic"
	"time"
)

type Shipper struct {
	dst   io.Writer
	lines atomic.Uint64
	bytes atomic.Uint64
	in    chan []byte
}

func NewShipper(ctx context.Context, dst io.Writer, workers int) *Shipper {
	s := &Shipper{dst: dst, in: make(chan []byte, 256)}
	for range workers {
		go s.work(ctx)
	}
	go s.report(ctx, 10*time.Second)
	return s
}

func (s *Shipper) work(ctx context.Context) {
	for {
		select {
		case ln := <-s.in:
			n, err := s.dst.Write(ln)
			if err != nil {
				slog.Error("ship", "err", err)
				continue
			}
			s.lines.Add(1)
			s.bytes.Add(uint64(n))
		case <-ctx.Done():
			return
		}
	}
}

func (s *Shipper) report(ctx context.Context, every time.Duration) {
	t := time.NewTicker(every)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			slog.Info("shipped",
				"lines", s.lines.Load(),
				"bytes", s.bytes.Load())
		case <-ctx.Done():
			return
		}
	}
}

func (s *Shipper) In() chan<- []byte { return s.in }
