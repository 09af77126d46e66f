// Package partfetch downloads one large object in parts by several workers.
package partfetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"
)

// Ranger reads a byte range of the remote object.
type Ranger interface {
	Range(ctx context.Context, off, n int64) (io.ReadCloser, error)
}

type phase uint8

const (
	todo phase = iota
	busy
	complete
)

type part struct {
	off, n  int64
	phase   phase
	tries   int
	lastErr error
}

var ErrGaveUp = errors.New("partfetch: too many errors")

type Options struct {
	PartSize int64
	Workers  int
	Retries  int
	Progress func(done, total int64)
}

type Fetcher struct {
	opts Options
	src  Ranger
	dst  io.WriterAt
	log  *slog.Logger
	size int64

	mu    sync.Mutex
	parts []part
	done  int64
}

func New(src Ranger, dst io.WriterAt, size int64, opts Options, log *slog.Logger) *Fetcher {
	f := &Fetcher{opts: opts, src: src, dst: dst, size: size, log: log}
	for off := int64(0); off < size; off += opts.PartSize {
		f.parts = append(f.parts, part{off: off, n: min(opts.PartSize, size-off)})
	}
	return f
}

// Run returns when all parts are written or one of them cannot be had.
func (f *Fetcher) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wg sync.WaitGroup
	for range f.opts.Workers {
		wg.Go(func() {
			for ctx.Err() == nil {
				more, err := f.step(ctx)
				if err != nil {
					cancel(err)
				}
				if !more {
					return
				}
			}
		})
	}
	wg.Wait()
	return context.Cause(ctx)
}

// step fetches one part; more is false when none is left to take.
func (f *Fetcher) step(ctx context.Context) (more bool, err error) {
	f.mu.Lock()
	i := f.nextLocked()
	if i < 0 {
		f.mu.Unlock()
		return false, nil
	}
	f.parts[i].phase = busy
	f.parts[i].tries++
	p := f.parts[i]
	f.mu.Unlock()

	ferr := f.copy(ctx, p)

	f.mu.Lock()
	if ferr != nil {
		f.parts[i].phase = todo
		f.parts[i].lastErr = ferr
		f.mu.Unlock()
		if p.tries > f.opts.Retries {
			return false, fmt.Errorf("%w: part at %d: %w", ErrGaveUp, p.off, ferr)
		}
		f.log.Warn("part failed", "off", p.off, "try", p.tries, "err", ferr)
		select {
		case <-time.After(time.Duration(p.tries) * 200 * time.Millisecond):
		case <-ctx.Done():
		}
		return true, nil
	}
	f.parts[i].phase = complete
	f.done += p.n
	done := f.done
	f.mu.Unlock()
	if f.opts.Progress != nil {
		f.opts.Progress(done, f.size)
	}
	return true, nil
}

func (f *Fetcher) nextLocked() int {
	for i := range f.parts {
		if f.parts[i].phase == todo {
			return i
		}
	}
	return -1
}

func (f *Fetcher) copy(ctx context.Context, p part) error {
	rc, err := f.src.Range(ctx, p.off, p.n)
	if err != nil {
		return err
	}
	defer rc.Close()
	n, err := io.Copy(io.NewOffsetWriter(f.dst, p.off), io.LimitReader(rc, p.n))
	if err == nil && n < p.n {
		err = io.ErrUnexpectedEOF
	}
	return err
}
