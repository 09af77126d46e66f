// Package pipelookup keeps one pipeline per key, created on first use.
package pipelookup

import (
	"context"
	"errors"
	"fmt"
	"log"
	"sync"
)

var ErrShutdown = errors.New("pipelookup: registry shut down")

// Sink takes the items of one key in batches.
type Sink[T any] interface {
	Flush(ctx context.Context, items []T) error
}

type pipe[T any] struct {
	in   chan T
	done chan struct{}
}

func startPipe[T any](ctx context.Context, sink Sink[T], batch int) *pipe[T] {
	p := &pipe[T]{in: make(chan T, batch), done: make(chan struct{})}
	go func() {
		defer close(p.done)
		buf := make([]T, 0, batch)
		for {
			select {
			case <-ctx.Done():
				return
			case it := <-p.in:
				buf = append(buf, it)
			}
			if len(buf) < batch && len(p.in) > 0 {
				continue
			}
			if err := sink.Flush(ctx, buf); err != nil {
				log.Printf("pipelookup: flush of %d: %v", len(buf), err)
			}
			buf = make([]T, 0, batch)
		}
	}()
	return p
}

type Registry[T any] struct {
	batch int
	open  func(key string) (Sink[T], error)
	ctx   context.Context
	stop  context.CancelFunc

	rw    sync.RWMutex
	pipes map[string]*pipe[T]
	shut  bool
}

func NewRegistry[T any](batch int, open func(string) (Sink[T], error)) *Registry[T] {
	ctx, stop := context.WithCancel(context.Background())
	return &Registry[T]{batch: batch, open: open, ctx: ctx, stop: stop, pipes: make(map[string]*pipe[T])}
}

// Get returns the input of the key's pipeline.
func (r *Registry[T]) Get(key string) (chan<- T, error) {
	r.rw.RLock()
	p, ok := r.pipes[key]
	r.rw.RUnlock()
	if ok {
		return p.in, nil
	}

	r.rw.Lock()
	defer r.rw.Unlock()
	if r.shut {
		return nil, ErrShutdown
	}
	if p, ok = r.pipes[key]; ok {
		return p.in, nil
	}
	sink, err := r.open(key)
	if err != nil {
		return nil, fmt.Errorf("open %q: %w", key, err)
	}
	p = startPipe(r.ctx, sink, r.batch)
	r.pipes[key] = p
	return p.in, nil
}

// Submit queues one item, waiting while the pipeline is behind.
func (r *Registry[T]) Submit(ctx context.Context, key string, item T) error {
	in, err := r.Get(key)
	if err != nil {
		return err
	}
	select {
	case in <- item:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-r.ctx.Done():
		return ErrShutdown
	}
}

// Shutdown stops every pipeline and waits for them.
func (r *Registry[T]) Shutdown() {
	r.rw.Lock()
	r.shut = true
	r.rw.Unlock()
	r.stop()
	for _, p := range r.pipes { // no more writers once shut is set
		<-p.done
	}
}
