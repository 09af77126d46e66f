// Package armclaim claims a task before it closes its channel.
package armclaim

import (
	"context"
	"sync/atomic"
	"time"
)

type task struct {
	settled atomic.Bool
	cancel  chan struct{}
}

// claim says whether the caller is the one who settles the task.
func (t *task) claim() bool { return t.settled.CompareAndSwap(false, true) }

// Race runs a task in several goroutines.
func Race(ctx context.Context, n int, send func()) *Handle {
	t := &task{cancel: make(chan struct{})}
	for range n {
		go t.attempt(send)
		go t.watch(ctx)
	}
	return &Handle{t}
}

// attempt. Right: of all who come to the close one has won the claim.
func (t *task) attempt(send func()) {
	select {
	case <-time.After(time.Second):
		if !t.claim() {
			return
		}
		close(t.cancel)
		send()
	case <-t.cancel:
	}
}

func (t *task) watch(ctx context.Context) {
	select {
	case <-ctx.Done():
		if !t.settled.CompareAndSwap(false, true) {
			return
		}
		close(t.cancel)
	case <-t.cancel:
	}
}

// Handle is for the user.
type Handle struct{ t *task }

// Cancel gives the task up.
func (h *Handle) Cancel() {
	if h.t.claim() {
		close(h.t.cancel)
	}
}
