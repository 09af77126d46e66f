package outboxretry

import (
	"context"
	"errors"
	"sync"
)

type Mail struct {
	To    string
	Body  []byte
	Tries int
}

type Transport interface {
	Send(ctx context.Context, m Mail) error
}

type Outbox struct {
	tr       Transport
	maxTries int

	mu    sync.Mutex
	queue []Mail
}

func New(tr Transport, maxTries int) *Outbox {
	return &Outbox{tr: tr, maxTries: maxTries}
}

func (o *Outbox) Enqueue(m Mail) {
	o.mu.Lock()
	o.queue = append(o.queue, m)
	o.mu.Unlock()
}

func (o *Outbox) Deliver(ctx context.Context) error {
	o.mu.Lock()
	batch := o.queue
	o.queue = nil
	o.mu.Unlock()

	var errs []error
	failed := batch[:0:0]
	for _, m := range batch {
		if err := o.tr.Send(ctx, m); err != nil {
			errs = append(errs, err)
			if m.Tries++; m.Tries < o.maxTries {
				failed = append(failed, m)
			}
		}
	}

	o.mu.Lock()
	o.queue = append(failed, o.queue...)
	o.mu.Unlock()
	return errors.Join(errs...)
}

func (o *Outbox) Len() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.queue)
}
