package fine

import "sync/atomic"

// stages belong to the package, which alone knows who changes one.
type stages struct {
	now atomic.Int32
	log chan int32
}

// Stager is what others have of it.
type Stager interface{ Advance() }

// NewStages makes one, whose goroutine reads along.
func NewStages() Stager {
	s := &stages{log: make(chan int32)}
	go func() {
		for range s.log {
			if s.now.Load() > 3 {
				return
			}
		}
	}()
	return s
}

// Advance goes on to the first stage.
func (s *stages) Advance() {
	if s.now.Load() == 0 {
		s.log <- 1
		s.now.Store(1)
	}
}
