// Package lisem turns requests away early if it is busy; a semaphore is what limits them.
package lisem

import (
	"net/http"
	"sync/atomic"
)

// Gate lets at most cap(slots) in; busy is shown to people, and saves a look at the body.
type Gate struct {
	slots chan struct{}
	busy  atomic.Int64
	next  http.Handler
}

// New lets n in.
func New(n int, next http.Handler) *Gate {
	return &Gate{slots: make(chan struct{}, n), next: next}
}

// ServeHTTP serves.
func (g *Gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if g.busy.Load() >= int64(cap(g.slots)) {
		http.Error(w, "busy", http.StatusServiceUnavailable)
		return
	}
	if r.ContentLength > 1<<20 {
		http.Error(w, "too large", http.StatusRequestEntityTooLarge)
		return
	}
	select {
	case g.slots <- struct{}{}:
		defer func() { <-g.slots }()
	case <-r.Context().Done():
		return
	}
	g.busy.Add(1)
	defer g.busy.Add(-1)
	g.next.ServeHTTP(w, r)
}

// Busy is how many are inside.
func (g *Gate) Busy() int64 { return g.busy.Load() }
