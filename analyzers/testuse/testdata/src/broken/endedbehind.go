package broken

import "sync"

// Kitchen is what the waiters see of it.
type Kitchen interface {
	Order(dish string)
	Stop()
}

type stove struct {
	mu     sync.Mutex
	dishes []string
	cold   bool
	off    chan struct{}
}

// NewKitchen returns one with a single stove.
func NewKitchen() Kitchen { return &stove{off: make(chan struct{})} }

func (s *stove) Order(dish string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dishes = append(s.dishes, dish)
}

func (s *stove) Stop() {
	if s.cold { // want `two goroutines can both pass the test of s.cold and close s.off twice: no lock is held`
		return
	}
	close(s.off)
	s.cold = true
}
