// Package cbretry starts a worker once more if it has failed at once.
package cbretry

import (
	"errors"
	"sync"
	"time"
)

// A Worker runs in one goroutine at a time.
type Worker struct {
	work func() error
	done chan struct{}
	mu   sync.Mutex
	err  error
}

// Start starts it, and tries a second time.
func Start(work func() error) (*Worker, error) {
	w := &Worker{work: work, done: make(chan struct{})}
	go w.run()
	select {
	case <-w.done:
	case <-time.After(time.Second):
		return w, nil
	}
	w.done = make(chan struct{})
	go w.run()
	select {
	case <-w.done:
		return nil, errors.Join(errors.New("cbretry: failed twice"), w.Err())
	case <-time.After(time.Second):
		return w, nil
	}
}

func (w *Worker) run() {
	defer close(w.done)
	err := w.work()
	w.mu.Lock()
	w.err = err
	w.mu.Unlock()
}

// Err is the last error.
func (w *Worker) Err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}
