package testrunner

import (
	"fmt"
	"sync"
)

type Case struct {
	Name string
	Fn   func(stop <-chan struct{}) error
}

type Suite struct {
	cases   []Case
	stop    chan struct{}
	aborted bool

	mu       sync.Mutex
	failures []string
}

func NewSuite(cases ...Case) *Suite {
	return &Suite{cases: cases, stop: make(chan struct{})}
}

func (s *Suite) Abort() {
	if s.aborted {
		return
	}
	s.aborted = true
	close(s.stop)
}

func (s *Suite) Run(failFast bool) error {
	var wg sync.WaitGroup
	for _, c := range s.cases {
		wg.Add(1)
		go func() {
			defer wg.Done()
			err := c.Fn(s.stop)
			if err == nil {
				return
			}
			s.mu.Lock()
			s.failures = append(s.failures, fmt.Sprintf("%s: %v", c.Name, err))
			s.mu.Unlock()
			if failFast {
				s.Abort()
			}
		}()
	}
	wg.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.failures); n > 0 {
		return fmt.Errorf("%d of %d failed", n, len(s.cases))
	}
	return nil
}
