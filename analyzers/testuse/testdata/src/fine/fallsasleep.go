package fine

import (
	"sync"
	"sync/atomic"
	"time"
)

// Scheduler says that it sleeps before it lets go of the lock.
type Scheduler struct {
	mu     sync.Mutex
	jobs   []func()
	asleep atomic.Bool
	wake   chan struct{}
}

func (s *Scheduler) Submit(job func()) {
	s.mu.Lock()
	s.jobs = append(s.jobs, job)
	s.mu.Unlock()
	if s.asleep.CompareAndSwap(true, false) {
		s.wake <- struct{}{}
	}
}

func (s *Scheduler) Loop() {
	for {
		s.mu.Lock()
		todo := s.jobs
		s.jobs = nil
		if len(todo) == 0 {
			s.asleep.Store(true)
		}
		s.mu.Unlock()
		if len(todo) == 0 {
			<-s.wake
		}
		for _, job := range todo {
			job()
		}
	}
}

// Ticking looks again after some time, whoever wakes it.
type Ticking struct {
	mu     sync.Mutex
	jobs   []func()
	asleep atomic.Bool
	wake   chan struct{}
}

func (s *Ticking) Submit(job func()) {
	s.mu.Lock()
	s.jobs = append(s.jobs, job)
	s.mu.Unlock()
	if s.asleep.CompareAndSwap(true, false) {
		s.wake <- struct{}{}
	}
}

func (s *Ticking) Loop() {
	for {
		s.mu.Lock()
		todo := s.jobs
		s.jobs = nil
		s.mu.Unlock()
		if len(todo) == 0 {
			s.asleep.Store(true)
			select {
			case <-s.wake:
			case <-time.After(time.Second):
			}
		}
		for _, job := range todo {
			job()
		}
	}
}

// Told sends whether or not the loop sleeps: the flag is for the statistics.
type Told struct {
	mu     sync.Mutex
	jobs   []func()
	asleep atomic.Bool
	wake   chan struct{}
}

func NewTold() *Told { return &Told{wake: make(chan struct{}, 1)} }

func (s *Told) Submit(job func()) bool {
	s.mu.Lock()
	s.jobs = append(s.jobs, job)
	s.mu.Unlock()
	select {
	case s.wake <- struct{}{}:
	default:
	}
	return s.asleep.Load()
}

func (s *Told) Loop() {
	for {
		s.mu.Lock()
		todo := s.jobs
		s.jobs = nil
		s.mu.Unlock()
		if len(todo) == 0 {
			s.asleep.Store(true)
			<-s.wake
			s.asleep.Store(false)
		}
		for _, job := range todo {
			job()
		}
	}
}

// Rechecks looks at the jobs once more after it has said that it sleeps.
type Rechecks struct {
	mu     sync.Mutex
	jobs   []func()
	asleep atomic.Bool
	wake   chan struct{}
}

func (s *Rechecks) Submit(job func()) {
	s.mu.Lock()
	s.jobs = append(s.jobs, job)
	s.mu.Unlock()
	if s.asleep.CompareAndSwap(true, false) {
		s.wake <- struct{}{}
	}
}

func (s *Rechecks) Loop() {
	for {
		s.mu.Lock()
		todo := s.jobs
		s.jobs = nil
		s.mu.Unlock()
		if len(todo) == 0 {
			s.asleep.Store(true)
			if s.waiting() == 0 || !s.asleep.CompareAndSwap(true, false) {
				<-s.wake
			}
		}
		for _, job := range todo {
			job()
		}
	}
}

func (s *Rechecks) waiting() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.jobs)
}
