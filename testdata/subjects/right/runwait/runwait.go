// Package runwait sets the last state when the loop is over.
package runwait

import "sync/atomic"

const (
	idle int32 = iota
	busy
	stopped
)

// Worker has one loop.
type Worker struct {
	state atomic.Int32
	jobs  chan func()
	quit  chan struct{}
	done  chan struct{}
}

// New makes one; the user runs Run in a goroutine.
func New() *Worker {
	return &Worker{jobs: make(chan func()), quit: make(chan struct{}), done: make(chan struct{})}
}

// Run is the loop; it is called once. Right: Stop stores stopped only after done is closed, when
// this loop has made its last store.
func (w *Worker) Run() {
	defer close(w.done)
	for {
		select {
		case <-w.quit:
			return
		case f := <-w.jobs:
			w.state.Store(busy)
			f()
			if w.state.Load() != stopped {
				w.state.Store(idle)
			}
		}
	}
}

// Stop ends the loop. It is called once.
func (w *Worker) Stop() {
	close(w.quit)
	<-w.done
	w.state.Store(stopped)
}

// Idle says whether it waits.
func (w *Worker) Idle() bool { return w.state.Load() == idle }
