package boundedq

import (
	"errors"
	"sync"
)

var ErrClosed = errors.New("boundedq: closed")

type Queue[T any] struct {
	mu       sync.Mutex
	notEmpty sync.Cond
	notFull  sync.Cond
	buf      []T
	max      int
	closed   bool
}

func New[T any](max int) *Queue[T] {
	q := &Queue[T]{max: max}
	q.notEmpty.L = &q.mu
	q.notFull.L = &q.mu
	return q
}

func (q *Queue[T]) Put(v T) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.buf) >= q.max && !q.closed {
		q.notFull.Wait()
	}
	if q.closed {
		return ErrClosed
	}
	q.buf = append(q.buf, v)
	q.notEmpty.Signal()
	return nil
}

func (q *Queue[T]) Take() (v T, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.buf) == 0 {
		if q.closed {
			return v, ErrClosed
		}
		q.notEmpty.Wait()
	}
	v = q.buf[0]
	q.buf = q.buf[1:]
	q.notFull.Signal()
	return v, nil
}

func (q *Queue[T]) Close() {
	q.mu.Lock()
	q.closed = true
	q.notEmpty.Broadcast()
	q.notFull.Broadcast()
	q.mu.Unlock()
}
