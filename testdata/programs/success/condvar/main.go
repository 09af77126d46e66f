// Condvar passes jobs from producers to consumers through a bounded queue made
// of a mutex, two condition variables and a slice, and checks that every job
// came out once and that the queue never exceeded its bound.
package main

import (
	"fmt"
	"os"
	"sync"
)

const (
	producers = 3
	consumers = 3
	jobs      = 60 // from each producer
	bound     = 8
)

type queue struct {
	mu       sync.Mutex
	notEmpty *sync.Cond
	notFull  *sync.Cond
	jobs     []int
	longest  int
	closed   bool
}

func newQueue() *queue {
	q := new(queue)
	q.notEmpty = sync.NewCond(&q.mu)
	q.notFull = sync.NewCond(&q.mu)
	return q
}

func (q *queue) put(job int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.jobs) == bound {
		q.notFull.Wait()
	}
	q.jobs = append(q.jobs, job)
	if len(q.jobs) > q.longest {
		q.longest = len(q.jobs)
	}
	q.notEmpty.Signal()
}

// take returns the oldest job, and false when there are none left and none
// will come.
func (q *queue) take() (job int, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.jobs) == 0 {
		if q.closed {
			return 0, false
		}
		q.notEmpty.Wait()
	}
	job = q.jobs[0]
	q.jobs = q.jobs[1:]
	q.notFull.Signal()
	return job, true
}

func (q *queue) close() {
	q.mu.Lock()
	q.closed = true
	q.mu.Unlock()
	q.notEmpty.Broadcast()
}

func main() {
	q := newQueue()
	var producing, consuming sync.WaitGroup
	for p := range producers {
		producing.Go(func() {
			for j := range jobs {
				q.put(p*jobs + j)
			}
		})
	}
	done := make([][]int, consumers)
	for c := range consumers {
		consuming.Go(func() {
			for {
				job, ok := q.take()
				if !ok {
					return
				}
				done[c] = append(done[c], job)
			}
		})
	}
	producing.Wait()
	q.close()
	consuming.Wait()

	times := make([]int, producers*jobs)
	for _, part := range done {
		for _, job := range part {
			times[job]++
		}
	}
	bad := 0
	for _, n := range times {
		if n != 1 {
			bad++
		}
	}
	if bad > 0 || q.longest > bound || len(q.jobs) != 0 {
		fmt.Printf("WRONG: %d jobs not done exactly once, queue as long as %d, %d left\n", bad, q.longest, len(q.jobs))
		os.Exit(1)
	}
	fmt.Printf("ok: %d jobs done once each\n", len(times))
}
