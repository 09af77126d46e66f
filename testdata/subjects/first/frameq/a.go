package frameq

import (
	"errors"
	"sync"
)

var ErrClosed = errors.New("frameq: closed")

type Frame struct {
	PTS  int64
	Data []byte
}

type Queue struct {
	mu     sync.Mutex
	cond   *sync.Cond
	frames []Frame
	closed bool
}

func NewQueue() *Queue {
	q := &Queue{}
	q.cond = sync.NewCond(&q.mu)
	return q
}

func (q *Queue) empty() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.frames) == 0 && !q.closed
}

func (q *Queue) park() {
	q.mu.Lock()
	q.cond.Wait()
	q.mu.Unlock()
}

func (q *Queue) Push(f Frame) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return ErrClosed
	}
	q.frames = append(q.frames, f)
	q.cond.Signal()
	return nil
}

func (q *Queue) Pop() (Frame, error) {
	for {
		for q.empty() {
			q.park()
		}
		q.mu.Lock()
		if len(q.frames) > 0 {
			f := q.frames[0]
			q.frames = q.frames[1:]
			q.mu.Unlock()
			return f, nil
		}
		done := q.closed
		q.mu.Unlock()
		if done {
			return Frame{}, ErrClosed
		}
	}
}

func (q *Queue) Close() {
	q.mu.Lock()
	q.closed = true
	q.cond.Broadcast()
	q.mu.Unlock()
}
