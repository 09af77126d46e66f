package broken

import (
	"sync"
	"sync/atomic"
)

// Quota counts what is under way.
type Quota struct {
	used  int64
	level atomic.Int64
	held  atomic.Int64
	mu    sync.Mutex
}

func (q *Quota) Take(n int64, send func() error) error {
	before := atomic.LoadInt64(&q.used) // want `q.used is set back to what it was before: what other goroutines have added to it in between is lost`
	atomic.AddInt64(&q.used, n)
	if err := send(); err != nil {
		atomic.StoreInt64(&q.used, before)
		return err
	}
	return nil
}

func (q *Quota) Done(n int64) { atomic.AddInt64(&q.used, -n) }

// TakeOff takes off what it has added.
func (q *Quota) TakeOff(n int64, send func() error) error {
	atomic.AddInt64(&q.used, n)
	if err := send(); err != nil {
		atomic.AddInt64(&q.used, -n)
		return err
	}
	return nil
}

// At runs f at another level, to which nobody adds.
func (q *Quota) At(level int64, f func()) {
	old := q.level.Load()
	q.level.Store(level)
	f()
	q.level.Store(old)
}

// Try holds the lock all the while, as Grow does.
func (q *Quota) Try(send func() error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	before := q.held.Load()
	q.held.Add(1)
	if send() != nil {
		q.held.Store(before)
	}
}

func (q *Quota) Grow() {
	q.mu.Lock()
	q.held.Add(1)
	q.mu.Unlock()
}
