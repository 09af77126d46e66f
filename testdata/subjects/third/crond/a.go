package crond

import (
	"context"
	"errors"
	"log"
	"sync"
	"time"
)

type State int

const (
	Idle State = iota
	Running
	Disabled
)

var ErrBusy = errors.New("cron: job is running")

type Job struct {
	Name string
	Func func(context.Context) error

	mu    sync.Mutex
	state State
	runs  int
	next  time.Time
}

func (j *Job) set(s State) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.state = s
}

func (j *Job) fire(ctx context.Context) error {
	j.mu.Lock()
	st := j.state
	j.runs++
	j.mu.Unlock()

	switch st {
	case Running:
		return ErrBusy
	case Disabled:
		return nil
	}
	j.set(Running)
	defer j.set(Idle)
	return j.Func(ctx)
}

func (j *Job) Trigger(ctx context.Context) error { return j.fire(ctx) }

func (j *Job) Schedule(ctx context.Context, every time.Duration) {
	for {
		j.mu.Lock()
		j.next = time.Now().Add(every)
		j.mu.Unlock()
		select {
		case <-ctx.Done():
			return
		case <-time.After(every):
			go func() {
				if err := j.fire(ctx); err != nil {
					log.Printf("%s: %v", j.Name, err)
				}
			}()
		}
	}
}
