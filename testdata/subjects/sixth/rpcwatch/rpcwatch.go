// Package rpcwatch delivers a server's change stream to a subscriber and
// reconnects when the stream breaks.
package rpcwatch

import (
	"context"
	"errors"
	"io"
	"log"
	"time"
)

// Change is one update of a watched key.
type Change struct {
	Key      string
	Value    []byte
	Revision int64
}

// Stream is one connection's change feed.
type Stream interface {
	Recv() (Change, error)
	Close() error
}

// Opener connects and asks for changes after a revision.
type Opener func(ctx context.Context, prefix string, after int64) (Stream, error)

// ErrCompacted means that the requested revision is gone for good.
var ErrCompacted = errors.New("rpcwatch: revision compacted")

type Watch struct {
	prefix string
	open   Opener
	events chan Change
	quit   chan struct{}
	ended  chan struct{}
	retry  time.Duration
	cause  error // set before ended is closed
}

// Option changes how a watch behaves.
type Option func(*Watch)

func WithBuffer(n int) Option { return func(w *Watch) { w.events = make(chan Change, n) } }

func WithRetry(d time.Duration) Option { return func(w *Watch) { w.retry = d } }

// Begin starts watching every key under prefix.
func Begin(prefix string, open Opener, opts ...Option) *Watch {
	w := &Watch{
		prefix: prefix,
		open:   open,
		events: make(chan Change),
		quit:   make(chan struct{}),
		ended:  make(chan struct{}),
		retry:  time.Second,
	}
	for _, o := range opts {
		o(w)
	}
	go w.pump()
	return w
}

func (w *Watch) Events() <-chan Change { return w.events }

func (w *Watch) pump() {
	defer close(w.ended)
	defer close(w.events)
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	context.AfterFunc(ctx, func() { log.Printf("rpcwatch: %s ended", w.prefix) })
	go func() {
		<-w.quit
		stop()
	}()

	var last int64
	for ctx.Err() == nil {
		st, err := w.open(ctx, w.prefix, last)
		if err == nil {
			last, err = w.drain(ctx, st, last)
			st.Close()
		}
		switch {
		case errors.Is(err, ErrCompacted):
			w.cause = err
			w.Cancel()
			return
		case errors.Is(err, io.EOF), ctx.Err() != nil:
			continue
		}
		log.Printf("rpcwatch: %s: %v, retrying", w.prefix, err)
		select {
		case <-time.After(w.retry):
		case <-w.quit:
		}
	}
}

func (w *Watch) drain(ctx context.Context, st Stream, last int64) (int64, error) {
	for {
		ch, err := st.Recv()
		if err != nil {
			return last, err
		}
		select {
		case w.events <- ch:
			last = ch.Revision
		case <-ctx.Done():
			return last, ctx.Err()
		}
	}
}

// Cancel ends the watch. It does not wait for the pump to finish.
func (w *Watch) Cancel() {
	select {
	case <-w.quit:
		return
	default:
	}
	close(w.quit)
}

// Err waits for the end of the watch and returns its cause.
func (w *Watch) Err() error {
	<-w.ended
	return w.cause
}
