package taskqueue

import (
	"errors"
	"sync"
)

var ErrClosed = errors.New("queue closed")

type Task struct {
	Name string
	Run  func() error
}

type Queue struct {
	mu     sync.Mutex
	more   sync.Cond
	tasks  []Task
	closed bool
	failed int
}

func NewQueue(workers int) *Queue {
	q := &Queue{}
	q.more.L = &q.mu
	for range workers {
		go q.work()
	}
	return q
}

func (q *Queue) Push(t Task) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return ErrClosed
	}
	q.tasks = append(q.tasks, t)
	q.more.Signal()
	return nil
}

func (q *Queue) Pop() (Task, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.tasks) == 0 {
		if q.closed {
			return Task{}, ErrClosed
		}
		q.more.Wait()
	}
	t := q.tasks[0]
	q.tasks = q.tasks[1:]
	return t, nil
}

func (q *Queue) work() {
	for {
		t, err := q.Pop()
		if err != nil {
			return
		}
		if err := t.Run(); err != nil {
			q.mu.Lock()
			q.failed++
			q.mu.Unlock()
		}
	}
}

func (q *Queue) Close() (failed int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.more.Broadcast()
	return q.failed
}
