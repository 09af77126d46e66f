// Package liwarm keeps a few workers: one goroutine starts them, and they end by themselves.
package liwarm

import (
	"context"
	"sync/atomic"
	"time"
)

// Workers are started by their keeper alone.
type Workers struct {
	most    int32
	running atomic.Int32
	jobs    chan func()
	ready   func() bool
}

// New starts the keeper.
func New(ctx context.Context, most int32, ready func() bool) *Workers {
	w := &Workers{most: most, jobs: make(chan func(), 64), ready: ready}
	go w.keep(ctx)
	return w
}

func (w *Workers) keep(ctx context.Context) {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if w.running.Load() >= w.most {
			continue
		}
		if len(w.jobs) == 0 || !w.ready() {
			continue
		}
		w.running.Add(1)
		go w.work()
	}
}

func (w *Workers) work() {
	defer w.running.Add(-1)
	for {
		select {
		case job := <-w.jobs:
			job()
		case <-time.After(time.Second):
			return
		}
	}
}

// Do queues a job.
func (w *Workers) Do(job func()) { w.jobs <- job }

// Running is how many run.
func (w *Workers) Running() int32 { return w.running.Load() }
