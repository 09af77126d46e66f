// Package enstates dispatches tasks: one scheduler starts them, workers finish them.
package enstates

import (
	"sync"
	"time"
)

type status int

const (
	unknown status = iota
	pending
	running
	done
)

type task struct {
	status status
	since  time.Time
}

// Board has the tasks. Only the scheduler's goroutine takes one from pending to running, and
// only running ones are finished.
type Board struct {
	mu    sync.Mutex
	tasks map[int]*task
	work  chan int
}

// New starts the scheduler and the workers.
func New(do func(int)) *Board {
	b := &Board{tasks: map[int]*task{}, work: make(chan int)}
	for range 4 {
		go b.worker(do)
	}
	go b.schedule()
	return b
}

// Add adds a task.
func (b *Board) Add(id int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.tasks[id] == nil {
		b.tasks[id] = &task{status: pending}
	}
}

func (b *Board) statusOf(id int) status {
	b.mu.Lock()
	defer b.mu.Unlock()
	if t := b.tasks[id]; t != nil {
		return t.status
	}
	return unknown
}

func (b *Board) setStatus(id int, s status) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if t := b.tasks[id]; t != nil {
		t.status = s
		t.since = time.Now()
	}
}

func (b *Board) finish(id int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if t := b.tasks[id]; t != nil && t.status == running {
		t.status = done
	}
}

func (b *Board) ids() []int {
	b.mu.Lock()
	defer b.mu.Unlock()
	var list []int
	for id := range b.tasks {
		list = append(list, id)
	}
	return list
}

func (b *Board) schedule() {
	for {
		for _, id := range b.ids() {
			if b.statusOf(id) == pending {
				b.setStatus(id, running)
				b.work <- id
			}
		}
		time.Sleep(time.Millisecond)
	}
}

func (b *Board) worker(do func(int)) {
	for id := range b.work {
		do(id)
		b.finish(id)
	}
}
