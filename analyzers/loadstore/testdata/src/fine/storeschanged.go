package fine

import (
	"sync"
	"sync/atomic"
)

type listOf struct {
	mu sync.Mutex
	fs []func()
}

// ListenersApart keeps an object for each topic, which has a lock of its own.
type ListenersApart struct{ byTopic sync.Map }

func (l *ListenersApart) Listen(topic string, f func()) {
	v, loaded := l.byTopic.LoadOrStore(topic, &listOf{})
	list := v.(*listOf)
	list.mu.Lock()
	list.fs = append(list.fs, f)
	list.mu.Unlock()
	if !loaded {
		l.byTopic.Store(topic, list)
	}
}

// AllowanceBack gives back what it has taken.
type AllowanceBack struct {
	used  atomic.Int64
	limit int64
}

func (a *AllowanceBack) Take(n int64) bool {
	if a.used.Add(n) > a.limit {
		a.used.Add(-n)
		return false
	}
	return true
}
