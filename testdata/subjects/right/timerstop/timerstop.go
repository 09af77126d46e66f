// Package timerstop lets the timer decide who closes.
package timerstop

import (
	"sync"
	"time"
)

type task struct {
	timer *time.Timer
	done  chan struct{}
}

// Pool has a waiter for each task.
type Pool struct {
	mu    sync.Mutex
	tasks map[string]*task
}

// New makes one.
func New() *Pool { return &Pool{tasks: map[string]*task{}} }

// Add puts in a task.
func (p *Pool) Add(id string, d time.Duration) {
	t := &task{timer: time.NewTimer(d), done: make(chan struct{})}
	p.mu.Lock()
	p.tasks[id] = t
	p.mu.Unlock()
	go t.expire()
}

// expire is run once for each task. Right: the timer fires once, to the one goroutine of this
// task, or Finish has stopped it; never both.
func (t *task) expire() {
	select {
	case <-t.timer.C:
		close(t.done)
	case <-t.done:
	}
}

// Finish ends a task early, if it has not expired.
func (p *Pool) Finish(id string) {
	p.mu.Lock()
	t := p.tasks[id]
	delete(p.tasks, id)
	p.mu.Unlock()
	if t != nil && t.timer.Stop() {
		close(t.done)
	}
}
