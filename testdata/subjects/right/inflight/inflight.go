// Package inflight counts senders in before they look.
package inflight

import (
	"sync/atomic"
	"time"
)

// Queue has many senders.
type Queue struct {
	closed  atomic.Bool
	senders atomic.Int64
	out     chan int
}

// New makes one.
func New() *Queue { return &Queue{out: make(chan int, 8)} }

// Send sends. Right: it counts itself in before it looks at closed, and the closer looks at the
// count after it has set closed: who has found it open is waited for.
func (q *Queue) Send(v int) bool {
	q.senders.Add(1)
	defer q.senders.Add(-1)
	if q.closed.Load() {
		return false
	}
	q.out <- v
	return true
}

// Out is what is received from.
func (q *Queue) Out() <-chan int { return q.out }

// Close lets the senders finish and closes then.
func (q *Queue) Close() {
	if q.closed.CompareAndSwap(false, true) {
		go func() {
			for q.senders.Load() > 0 {
				time.Sleep(time.Millisecond)
			}
			close(q.out)
		}()
	}
}
