package fine

import (
	"errors"
	"sync"
)

// Lockgate refuses those who come too late.
type Lockgate struct {
	mu    sync.Mutex
	shut  bool
	boats sync.WaitGroup
	locks chan struct{}
}

func NewLockgate(n int) *Lockgate { return &Lockgate{locks: make(chan struct{}, n)} }

func (w *Lockgate) enter() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.shut {
		return false
	}
	w.boats.Add(1)
	return true
}

func (w *Lockgate) Pass(row func() error) error {
	if !w.enter() {
		return errors.New("shut")
	}
	defer w.boats.Done()
	w.locks <- struct{}{}
	defer func() { <-w.locks }()
	return row()
}

func (w *Lockgate) Close() {
	w.mu.Lock()
	w.shut = true
	w.mu.Unlock()
	w.boats.Wait()
	close(w.locks)
}

// Millrace is given work by one producer, which closes it when it has no more.
type Millrace struct {
	work sync.WaitGroup
	jobs chan func()
}

func NewMillrace() *Millrace {
	s := &Millrace{jobs: make(chan func())}
	go func() {
		for job := range s.jobs {
			job()
			s.work.Done()
		}
	}()
	return s
}

func (s *Millrace) Submit(job func()) {
	s.work.Add(1)
	s.jobs <- job
}

func (s *Millrace) Close() {
	s.work.Wait()
	close(s.jobs)
}
