// Package elqueue runs jobs and tries them again.
package elqueue

import (
	"sync"
	"time"
)

type job struct {
	name     string
	attempts int
	run      func() error
}

// Queue runs jobs, each by one worker at a time: who pops a job owns it until it is pushed back.
type Queue struct {
	mu      sync.Mutex
	cond    *sync.Cond
	pending []*job
	closed  bool
}

// New starts n workers.
func New(n int) *Queue {
	q := &Queue{}
	q.cond = sync.NewCond(&q.mu)
	for range n {
		go q.work()
	}
	return q
}

func (q *Queue) pop() *job {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.pending) == 0 {
		return nil
	}
	j := q.pending[0]
	q.pending = q.pending[1:]
	return j
}

func (q *Queue) work() {
	for {
		j := q.pop()
		if j == nil {
			time.Sleep(10 * time.Millisecond)
			continue
		}
		j.attempts++
		if err := j.run(); err != nil && j.attempts < 5 {
			q.push(j)
		}
	}
}

func (q *Queue) push(j *job) {
	q.mu.Lock()
	q.pending = append(q.pending, j)
	q.mu.Unlock()
}

// Add queues a job.
func (q *Queue) Add(name string, run func() error) { q.push(&job{name: name, run: run}) }

// Forgive lets all that are queued start over.
func (q *Queue) Forgive() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, j := range q.pending {
		j.attempts = 0
	}
}
