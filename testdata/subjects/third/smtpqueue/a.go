package smtpqueue

import (
	"context"
	"errors"
	"sync"
)

var ErrTemporary = errors.New("450 try again later")

type Message struct {
	From, To string
	Body     []byte
}

type Transport interface {
	Deliver(ctx context.Context, m *Message) error
}

type Queue struct {
	mu       sync.Mutex
	tr       Transport
	in       chan *Message
	sent     int
	deferred int
	bounced  int
}

func NewQueue(ctx context.Context, tr Transport, workers int) *Queue {
	q := &Queue{tr: tr, in: make(chan *Message, 128)}
	for i := 0; i < workers; i++ {
		go func() {
			for {
				select {
				case m := <-q.in:
					q.attempt(ctx, m)
				case <-ctx.Done():
					return
				}
			}
		}()
	}
	return q
}

func (q *Queue) Enqueue(m *Message) { q.in <- m }

func (q *Queue) attempt(ctx context.Context, m *Message) {
	err := q.tr.Deliver(ctx, m)
	switch {
	case err == nil:
		q.mu.Lock()
		q.sent++
		q.mu.Unlock()
	case errors.Is(err, ErrTemporary):
		q.deferred++
		go q.Enqueue(m)
	default:
		q.mu.Lock()
		q.bounced++
		q.mu.Unlock()
	}
}

func (q *Queue) Stats() (sent, deferred, bounced int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.sent, q.deferred, q.bounced
}

func (q *Queue) Reset() {
	q.mu.Lock()
	q.sent, q.deferred, q.bounced = 0, 0, 0
	q.mu.Unlock()
}
