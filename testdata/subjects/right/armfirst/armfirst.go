// Package armfirst has one owner for each task that several workers serve.
package armfirst

import (
	"context"
	"time"
)

type task struct {
	quiet chan struct{}
	news  chan string
}

// Hub starts workers.
type Hub struct{ tasks chan *task }

// New makes n workers.
func New(ctx context.Context, n int) *Hub {
	h := &Hub{tasks: make(chan *task)}
	for range n {
		go h.serve(ctx)
	}
	return h
}

// serve takes tasks one after the other. Right: a task is received by one worker, which alone
// closes quiet; the arm for quiet is nil until it was closed in an earlier turn of the loop.
func (h *Hub) serve(ctx context.Context) {
	for t := range h.tasks {
		for over := false; !over; {
			select {
			case <-time.After(time.Second):
				close(t.quiet)
				over = true
			case s := <-t.news:
				println(s)
			case <-t.quiet:
				over = true
			}
		}
	}
}

// Submit gives a task in; what it returns is closed when it is quiet.
func (h *Hub) Submit() (chan<- string, <-chan struct{}) {
	t := &task{quiet: make(chan struct{}), news: make(chan string)}
	h.tasks <- t
	return t.news, t.quiet
}
