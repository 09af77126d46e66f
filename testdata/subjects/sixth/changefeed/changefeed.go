// Package changefeed follows the change stream of a remote table.
package changefeed

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"
)

type Change struct {
	Seq   uint64
	Table string
	Key   string
	Row   map[string]any
}

// Source delivers the changes after a sequence number.
type Source interface {
	Next(ctx context.Context, after uint64) ([]Change, error)
}

var (
	ErrGap       = errors.New("changefeed: source lost history")
	ErrPermanent = errors.New("changefeed: permanent error")
)

type Handler func(Change) error

type Feed struct {
	src     Source
	log     *slog.Logger
	backoff time.Duration
	done    chan struct{}
	cancel  context.CancelFunc

	mu       sync.Mutex
	handlers map[string][]Handler
	pos      uint64
	lastErr  error
}

func Start(ctx context.Context, src Source, after uint64, log *slog.Logger) *Feed {
	ctx, cancel := context.WithCancel(ctx)
	f := &Feed{
		src:      src,
		log:      log,
		backoff:  250 * time.Millisecond,
		done:     make(chan struct{}),
		cancel:   cancel,
		handlers: make(map[string][]Handler),
		pos:      after,
	}
	go f.pump(ctx)
	return f
}

// Handle registers h for the changes of table.
func (f *Feed) Handle(table string, h Handler) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.handlers[table] = append(f.handlers[table], h)
}

// Done is closed when no further change will come.
func (f *Feed) Done() <-chan struct{} { return f.done }

// Err says why the feed ended by itself.
func (f *Feed) Err() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.lastErr
}

func (f *Feed) position() uint64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.pos
}

func (f *Feed) pump(ctx context.Context) {
	wait := f.backoff
	for {
		batch, err := f.src.Next(ctx, f.position())
		switch {
		case ctx.Err() != nil:
			return
		case errors.Is(err, ErrGap), errors.Is(err, ErrPermanent):
			f.abort(err)
			return
		case err != nil:
			f.log.Warn("change source", "err", err, "retry", wait)
			select {
			case <-ctx.Done():
				return
			case <-time.After(wait):
			}
			wait = min(2*wait, 30*time.Second)
			continue
		}
		wait = f.backoff
		for _, c := range batch {
			if err := f.apply(c); err != nil {
				f.abort(fmt.Errorf("change %d: %w", c.Seq, err))
				return
			}
		}
	}
}

func (f *Feed) apply(c Change) error {
	f.mu.Lock()
	hs := append([]Handler(nil), f.handlers[c.Table]...)
	f.mu.Unlock()
	for _, h := range hs {
		if err := h(c); err != nil {
			return err
		}
	}
	f.mu.Lock()
	f.pos = max(f.pos, c.Seq)
	f.mu.Unlock()
	return nil
}

func (f *Feed) abort(err error) {
	f.mu.Lock()
	f.lastErr = err
	f.mu.Unlock()
	f.log.Error("change feed ends", "err", err)
	close(f.done)
}

// Stop ends the feed and returns the position to resume at.
func (f *Feed) Stop() uint64 {
	f.cancel()
	close(f.done)
	return f.position()
}
