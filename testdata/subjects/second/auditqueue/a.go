package auditqueue

import (
	"context"
	"sync/atomic"
)

type Entry struct {
	User   string
	Action string
	Low    bool
}

type Queue struct {
	ch      chan Entry
	dropped atomic.Int64
}

func NewQueue(n int) *Queue { return &Queue{ch: make(chan Entry, n)} }

func (q *Queue) Offer(e Entry) bool {
	if e.Low && len(q.ch) > cap(q.ch)/2 {
		q.dropped.Add(1)
		return false
	}
	select {
	case q.ch <- e:
		return true
	default:
		q.dropped.Add(1)
		return false
	}
}

func (q *Queue) Consume(ctx context.Context, write func(Entry) error) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case e := <-q.ch:
			if err := write(e); err != nil {
				return err
			}
		}
	}
}

func (q *Queue) Dropped() int64 { return q.dropped.Load() }
