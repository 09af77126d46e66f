package printspool

import (
	"context"
	"errors"
	"fmt"
	"io"
)

var ErrQueueFull = errors.New("spooler: queue full")

type Job struct {
	ID    int
	Title string
	Doc   io.Reader
}

type Device interface {
	Print(ctx context.Context, doc io.Reader) error
}

// Spooler feeds one device. Submit never waits for the device.
type Spooler struct {
	dev    Device
	queue  chan Job
	failed chan error
}

func New(ctx context.Context, dev Device, depth int) *Spooler {
	s := &Spooler{dev: dev, queue: make(chan Job, depth), failed: make(chan error, 1)}
	go s.run(ctx)
	return s
}

func (s *Spooler) run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case j := <-s.queue:
			if err := s.dev.Print(ctx, j.Doc); err != nil {
				select {
				case s.failed <- fmt.Errorf("job %d: %w", j.ID, err):
				default:
				}
			}
		}
	}
}

func (s *Spooler) Submit(j Job) error {
	if j.Doc == nil {
		return errors.New("spooler: empty document")
	}
	if len(s.queue) == cap(s.queue) {
		return ErrQueueFull
	}
	s.queue <- j
	return nil
}

func (s *Spooler) Errors() <-chan error { return s.failed }
