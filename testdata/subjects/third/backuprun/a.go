package backuprun

import (
	"context"
	"fmt"
	"sync"
	"time"
)

type Snapshotter interface {
	Snapshot(ctx context.Context, dst string) (int64, error)
}

type Runner struct {
	snap  Snapshotter
	every time.Duration

	run sync.Mutex

	mu    sync.Mutex
	last  time.Time
	bytes int64
}

func NewRunner(s Snapshotter, every time.Duration) *Runner {
	return &Runner{snap: s, every: every}
}

func (r *Runner) LastRun() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.last
}

func (r *Runner) finished(at time.Time, n int64) {
	r.mu.Lock()
	r.last = at
	r.bytes += n
	r.mu.Unlock()
}

func (r *Runner) RunIfDue(ctx context.Context) (ran bool, err error) {
	if age := time.Since(r.LastRun()); age < r.every {
		return false, nil
	}
	if !r.run.TryLock() {
		return false, nil
	}
	defer r.run.Unlock()

	start := time.Now()
	n, err := r.snap.Snapshot(ctx, start.UTC().Format("20060102-150405"))
	if err != nil {
		return false, fmt.Errorf("snapshot: %w", err)
	}
	r.finished(start, n)
	return true, nil
}

func (r *Runner) Transferred() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.bytes
}
