// Package uber uses the atomics of go.uber.org/atomic.
package uber

import "go.uber.org/atomic"

type Queue struct {
	size   atomic.Int64
	limit  int64
	jobs   chan int
	closed *atomic.Bool
	done   chan struct{}
	once   atomic.Int64
}

// Put tests the size and adds to it later, in a loop.
func (q *Queue) Put(jobs []int) {
	for len(jobs) > 0 {
		if q.size.Load()+1 > q.limit { // want `both pass the test of q.size and both add to it`
			return
		}
		select {
		case q.jobs <- jobs[0]: // want `q.jobs can be closed by \(\*Queue\).Stop before or during this send`
			q.size.Add(1)
		default:
			return
		}
		jobs = jobs[1:]
	}
}

func (q *Queue) Close() {
	if q.closed.Load() { // want `both pass the test of q.closed and close q.done twice`
		return
	}
	q.closed.Store(true)
	close(q.done)
}

// Reserve adds first and takes it back.
func (q *Queue) Reserve(n int64) bool {
	if q.size.Add(n) > q.limit {
		q.size.Add(-n)
		return false
	}
	return true
}

func (q *Queue) Stop() {
	if q.once.Load() == 1 || !q.once.CAS(0, 1) {
		return
	}
	close(q.jobs)
}
