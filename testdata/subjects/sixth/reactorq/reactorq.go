// Package reactorq orders work by tenant in one event loop.
package reactorq

import (
	"context"
	"errors"
	"expvar"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"
)

type Task struct {
	Tenant string
	Do     func(context.Context)
}

var (
	ErrOverload = errors.New("reactorq: overloaded")
	ErrStopped  = errors.New("reactorq: stopped")
)

type submission struct {
	task  Task
	reply chan error
}

type lane struct {
	tasks []Task
	last  time.Time
}

// Reactor's lanes and ring belong to the loop goroutine.
type Reactor struct {
	log   *slog.Logger
	limit int64

	submit chan submission
	idle   chan struct{}
	done   chan struct{}

	lanes map[string]*lane
	ring  []string

	depth atomic.Int64
	peak  atomic.Int64
}

func Start(ctx context.Context, workers int, limit int64, log *slog.Logger) *Reactor {
	r := &Reactor{
		log:    log,
		limit:  limit,
		submit: make(chan submission),
		idle:   make(chan struct{}, workers),
		done:   make(chan struct{}),
		lanes:  make(map[string]*lane),
	}
	for range workers {
		r.idle <- struct{}{}
	}
	go r.loop(ctx)
	return r
}

// Export publishes the depth under name.
func (r *Reactor) Export(name string) {
	expvar.Publish(name, expvar.Func(func() any {
		return map[string]int64{"depth": r.depth.Load(), "peak": r.peak.Load()}
	}))
}

// Submit queues t behind the tenant's other tasks.
func (r *Reactor) Submit(ctx context.Context, t Task) error {
	s := submission{task: t, reply: make(chan error, 1)}
	select {
	case r.submit <- s:
		return <-s.reply
	case <-r.done:
		return ErrStopped
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (r *Reactor) loop(ctx context.Context) {
	defer close(r.done)
	for {
		var ready chan struct{}
		if len(r.ring) > 0 {
			ready = r.idle
		}
		select {
		case <-ctx.Done():
			r.log.Info("reactor stops", "left", r.depth.Load())
			return
		case s := <-r.submit:
			s.reply <- r.enqueue(s.task)
		case <-ready:
			r.dispatch(ctx)
		}
	}
}

func (r *Reactor) enqueue(t Task) error {
	n := r.depth.Load()
	if n >= r.limit {
		return fmt.Errorf("%w: %d tasks wait", ErrOverload, n)
	}
	l, ok := r.lanes[t.Tenant]
	if !ok {
		l = &lane{}
		r.lanes[t.Tenant] = l
		r.ring = append(r.ring, t.Tenant)
	}
	l.tasks = append(l.tasks, t)
	l.last = time.Now()
	if n+1 > r.peak.Load() {
		r.peak.Store(n + 1)
	}
	r.depth.Store(n + 1)
	return nil
}

func (r *Reactor) dispatch(ctx context.Context) {
	name := r.ring[0]
	l := r.lanes[name]
	t := l.tasks[0]
	l.tasks = l.tasks[1:]
	r.ring = r.ring[1:]
	if len(l.tasks) > 0 {
		r.ring = append(r.ring, name)
	} else {
		delete(r.lanes, name)
	}
	r.depth.Store(r.depth.Load() - 1)
	go func() {
		defer func() { r.idle <- struct{}{} }()
		t.Do(ctx)
	}()
}
