package jobqueue

import (
	"errors"
	"sync"
)

var ErrShutdown = errors.New("jobqueue: shut down")

type Job struct {
	ID       string
	Priority int
	Run      func() error
}

type Queue struct {
	mu     sync.Mutex
	nempty *sync.Cond
	jobs   []*Job
	down   bool
}

func New(workers int, report func(*Job, error)) *Queue {
	q := &Queue{}
	q.nempty = sync.NewCond(&q.mu)
	for range workers {
		go q.work(report)
	}
	return q
}

func (q *Queue) work(report func(*Job, error)) {
	for {
		j, err := q.Take()
		if err != nil {
			return
		}
		report(j, j.Run())
	}
}

func (q *Queue) Put(j *Job) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.down {
		return ErrShutdown
	}
	q.jobs = append(q.jobs, j)
	q.nempty.Signal()
	return nil
}

func (q *Queue) Take() (*Job, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.jobs) == 0 && !q.down {
		q.nempty.Wait()
	}
	if len(q.jobs) == 0 {
		return nil, ErrShutdown
	}
	j := q.jobs[0]
	q.jobs = q.jobs[1:]
	return j, nil
}

func (q *Queue) Shutdown() {
	q.mu.Lock()
	q.down = true
	q.nempty.Broadcast()
	q.mu.Unlock()
}
