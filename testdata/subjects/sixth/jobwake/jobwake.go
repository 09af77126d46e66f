// Package jobwake is the run queue of an in-process job scheduler.
package jobwake

import (
	"container/heap"
	"context"
	"errors"
	"log"
	"sync"
	"time"
)

var ErrStopped = errors.New("jobwake: queue stopped")

type Job struct {
	Name     string
	Priority int
	Run      func(context.Context) error

	queued time.Time
	seq    uint64
}

type jobHeap []*Job

func (h jobHeap) Len() int { return len(h) }
func (h jobHeap) Less(i, j int) bool {
	if h[i].Priority != h[j].Priority {
		return h[i].Priority > h[j].Priority
	}
	return h[i].seq < h[j].seq
}
func (h jobHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *jobHeap) Push(x any)   { *h = append(*h, x.(*Job)) }
func (h *jobHeap) Pop() any {
	old := *h
	j := old[len(old)-1]
	*h = old[:len(old)-1]
	return j
}

type Queue struct {
	qmu     sync.Mutex
	ready   jobHeap
	seq     uint64
	stopped bool
	wake    chan struct{}
}

func NewQueue() *Queue { return &Queue{wake: make(chan struct{})} }

// signal wakes every waiting worker; q.qmu is held.
func (q *Queue) signal() {
	close(q.wake)
	q.wake = make(chan struct{})
}

func (q *Queue) Put(j *Job) error {
	q.qmu.Lock()
	defer q.qmu.Unlock()
	if q.stopped {
		return ErrStopped
	}
	q.seq++
	j.seq, j.queued = q.seq, time.Now()
	heap.Push(&q.ready, j)
	q.signal()
	return nil
}

func (q *Queue) Stop() {
	q.qmu.Lock()
	defer q.qmu.Unlock()
	q.stopped = true
	q.signal()
}

func (q *Queue) changed() <-chan struct{} {
	q.qmu.Lock()
	defer q.qmu.Unlock()
	return q.wake
}

// Take returns the most urgent job, waiting for one if there is none.
func (q *Queue) Take(ctx context.Context) (*Job, error) {
	for {
		q.qmu.Lock()
		if len(q.ready) > 0 {
			j := heap.Pop(&q.ready).(*Job)
			q.qmu.Unlock()
			if late := time.Since(j.queued); late > time.Second {
				log.Printf("jobwake: %s waited %v", j.Name, late)
			}
			return j, nil
		}
		if q.stopped {
			q.qmu.Unlock()
			return nil, ErrStopped
		}
		q.qmu.Unlock()

		select {
		case <-q.changed():
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// Work runs n workers until the queue stops or the context ends.
func Work(ctx context.Context, q *Queue, n int) {
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			for {
				j, err := q.Take(ctx)
				if err != nil {
					return
				}
				if err := j.Run(ctx); err != nil {
					log.Printf("jobwake: %s: %v", j.Name, err)
				}
			}
		})
	}
	wg.Wait()
}
