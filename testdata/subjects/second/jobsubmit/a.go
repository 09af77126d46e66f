package jobsubmit

import (
	"context"
	"errors"
	"log"
)

var ErrBusy = errors.New("jobsubmit: all slots taken")

type Job struct {
	ID      string
	Handler func(context.Context) error
}

type Dispatcher struct {
	pending chan Job
	logger  *log.Logger
}

func NewDispatcher(ctx context.Context, workers, depth int, l *log.Logger) *Dispatcher {
	d := &Dispatcher{pending: make(chan Job, depth), logger: l}
	for i := 0; i < workers; i++ {
		go d.work(ctx)
	}
	return d
}

// Submit never blocks: it returns ErrBusy when the queue is full.
func (d *Dispatcher) Submit(j Job) error {
	if j.Handler == nil {
		return errors.New("jobsubmit: nil handler")
	}
	if len(d.pending) == cap(d.pending) {
		return ErrBusy
	}
	d.pending <- j
	return nil
}

func (d *Dispatcher) work(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case j := <-d.pending:
			if err := j.Handler(ctx); err != nil {
				d.logger.Printf("job %s: %v", j.ID, err)
			}
		}
	}
}
