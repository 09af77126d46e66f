// Package errdone tells how a process has ended once it is over.
package errdone

import (
	"errors"
	"sync"
)

var errIdle = errors.New("not started")

// Process runs something once.
type Process struct {
	mu      sync.Mutex
	started bool
	done    chan struct{}
	err     error
	lines   int
}

// New makes one.
func New() *Process { return &Process{done: make(chan struct{})} }

// Launch begins it, unless it has begun. Right: the goroutine sets err and lines before it closes
// done, and all others look at them only when they have found done closed.
func (p *Process) Launch(f func() (int, error)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.started {
		return
	}
	p.started = true
	go func() {
		p.lines, p.err = f()
		close(p.done)
	}()
}

// Err is how it ended.
func (p *Process) Err() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.started {
		return errIdle
	}
	select {
	case <-p.done:
		return p.err
	default:
		return nil
	}
}

// Lines is what it has written, when it is over.
func (p *Process) Lines() int {
	<-p.done
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.lines
}
