package readers

import (
	"container/ring"
	"sync"
)

// Wheel steps under the read lock; a step changes a ring only that is not ready yet.
type Wheel struct {
	mu   sync.RWMutex
	ring *ring.Ring
	next *link
}

func NewWheel(n int) *Wheel { return &Wheel{ring: ring.New(n), next: &link{}} }

func (w *Wheel) Set(v any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ring.Value = v
	w.ring.Unlink(1)
	w.next.renew()
}

func (w *Wheel) Look() (any, *link) {
	w.mu.RLock()
	defer w.mu.RUnlock()
	return w.ring.Next().Value, w.next.after()
}

type link struct {
	to   *link
	made int
}

func (l *link) after() *link {
	if l.to == nil {
		l.to = &link{}
	}
	return l.to
}

func (l *link) renew() { l.to, l.made = &link{}, l.made+1 }
