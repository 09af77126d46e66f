package resquota

import (
	"fmt"
	"sync"
	"sync/atomic"
)

type ExceededError struct {
	Resource       string
	Asked, Has, Of int64
}

func (e *ExceededError) Error() string {
	return fmt.Sprintf("quota %s: %d + %d > %d", e.Resource, e.Has, e.Asked, e.Of)
}

type Quota struct {
	resource string
	limit    int64
	used     atomic.Int64
}

func NewQuota(resource string, limit int64) *Quota {
	return &Quota{resource: resource, limit: limit}
}

// Reserve claims n units and returns the function that gives them back.
func (q *Quota) Reserve(n int64) (release func(), err error) {
	if n <= 0 {
		return nil, fmt.Errorf("quota %s: bad amount %d", q.resource, n)
	}
	if has := q.used.Load(); has+n > q.limit {
		return nil, &ExceededError{q.resource, n, has, q.limit}
	}
	q.used.Add(n)
	var once sync.Once
	return func() {
		once.Do(func() { q.used.Add(-n) })
	}, nil
}

func (q *Quota) Free() int64 {
	if f := q.limit - q.used.Load(); f > 0 {
		return f
	}
	return 0
}
