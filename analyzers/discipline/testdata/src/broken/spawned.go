package broken

import "sync"

// The goroutine of a stream calls what was set under the lock, after it has let go of it.

type Inflow struct {
	mu     sync.Mutex
	low    func()
	amount int
	least  int
	in     chan int
}

func NewInflow(least int) *Inflow {
	s := &Inflow{least: least, in: make(chan int)}
	go s.loop()
	return s
}

func (s *Inflow) OnLow(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.low = f
}

func (s *Inflow) Amount() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.amount
}

func (s *Inflow) Send(n int) { s.in <- n }

func (s *Inflow) loop() {
	for n := range s.in {
		s.released(n)
	}
}

func (s *Inflow) released(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.amount -= n
	if s.low != nil && s.amount < s.least {
		s.mu.Unlock()
		s.low() // want `s.low is accessed here without the lock that all other functions hold for it`
		s.mu.Lock()
	}
}
