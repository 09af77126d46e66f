package fine

import (
	"sync"
	"sync/atomic"
)

// Tails starts a reader for the first who listens.
type Tails struct {
	mu        sync.Mutex
	listeners atomic.Int32
	guests    int
	begun     bool
	out       chan int
}

// Listen looks at what it has raised the count to.
func (s *Tails) Listen() <-chan int {
	if s.listeners.Add(1) == 1 {
		go s.read()
	}
	return s.out
}

// Visit does all in one hold.
func (s *Tails) Visit() <-chan int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.guests == 0 {
		go s.read()
	}
	s.guests++
	return s.out
}

// Join leaves it to another look whether there is anything to start.
func (s *Tails) Join() <-chan int {
	if s.listeners.Load() == 0 {
		s.begin()
	}
	s.listeners.Add(1)
	return s.out
}

// Leave says whether others are left.
func (s *Tails) Leave() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.guests--
	return s.listeners.Add(-1) == 0
}

func (s *Tails) begin() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.begun {
		return
	}
	s.begun = true
	go s.read()
}

func (s *Tails) read() { s.out <- 1 }
