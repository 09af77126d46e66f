package fine

import "sync"

// A Quorum tells its hooks of the first mark without the lock.
type Quorum struct {
	mu     sync.Mutex
	closed bool
	best   int
	hooks  []func(int)
}

func (q *Quorum) tell(n int) {
	hooks := q.hooks
	q.mu.Unlock()
	for _, f := range hooks {
		f(n)
	}
	q.mu.Lock()
}

// Last comes through once.
func (q *Quorum) Last(best int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return
	}
	q.closed = true
	if best > q.best {
		q.tell(best)
		q.best = best
	}
}
