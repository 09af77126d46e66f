package cirunner

import (
	"context"
	"sync"
)

type State int

const (
	Pending State = iota
	Running
	Passed
	Failed
)

type Job struct {
	ID    string
	Image string
	Steps []string
	state State
}

type Executor interface {
	Pull(ctx context.Context, image string) error
	Exec(ctx context.Context, j *Job) error
}

type Runner struct {
	mu   sync.Mutex
	jobs []*Job
	exec Executor
}

func NewRunner(exec Executor, jobs ...*Job) *Runner {
	return &Runner{exec: exec, jobs: jobs}
}

func (r *Runner) Work(ctx context.Context, n int) {
	var wg sync.WaitGroup
	for i := 0; i < n; i++ {
		wg.Go(func() {
			for j := r.claim(ctx); j != nil; j = r.claim(ctx) {
				res := Passed
				if err := r.exec.Exec(ctx, j); err != nil {
					res = Failed
				}
				r.mark(j, res)
			}
		})
	}
	wg.Wait()
}

func (r *Runner) mark(j *Job, s State) {
	r.mu.Lock()
	j.state = s
	r.mu.Unlock()
}

func (r *Runner) claim(ctx context.Context) *Job {
	var next *Job
	r.mu.Lock()
	for _, j := range r.jobs {
		if j.state == Pending {
			next = j
			break
		}
	}
	r.mu.Unlock()
	if next == nil {
		return nil
	}
	if err := r.exec.Pull(ctx, next.Image); err != nil {
		r.mark(next, Failed)
		return nil
	}
	r.mark(next, Running)
	return next
}
