package taskclaim

import (
	"context"
	"sync"
)

type status uint8

const (
	waiting status = iota
	running
	finished
	failed
)

type Task struct {
	Name   string
	Do     func(context.Context) error
	status status
}

type Scheduler struct {
	*sync.Mutex
	tasks []*Task
}

func New(tasks ...*Task) *Scheduler {
	return &Scheduler{Mutex: new(sync.Mutex), tasks: tasks}
}

func (s *Scheduler) runOne(ctx context.Context) bool {
	var mine *Task
	s.Lock()
	for _, t := range s.tasks {
		if t.status == waiting {
			t.status = running
			mine = t
			break
		}
	}
	s.Unlock()
	if mine == nil {
		return false
	}
	end := finished
	if err := mine.Do(ctx); err != nil {
		end = failed
	}
	s.Lock()
	mine.status = end
	s.Unlock()
	return true
}

func (s *Scheduler) Run(ctx context.Context, workers int) {
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for ctx.Err() == nil && s.runOne(ctx) {
			}
		})
	}
	wg.Wait()
}

func (s *Scheduler) Failed() (n int) {
	s.Lock()
	defer s.Unlock()
	for _, t := range s.tasks {
		if t.status == failed {
			n++
		}
	}
	return n
}
