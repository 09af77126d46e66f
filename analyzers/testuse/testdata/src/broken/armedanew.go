package broken

import (
	"sync"
	"time"
)

// Sprinkler waters the lawn some time after it was last asked to.
type Sprinkler struct {
	mu    sync.Mutex
	delay *time.Timer
	wet   chan struct{}
}

func (s *Sprinkler) dry() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.delay == nil {
		return
	}
	s.delay.Stop()
	s.delay = nil
}

// Ask puts the watering off by d.
func (s *Sprinkler) Ask(d time.Duration) {
	s.dry() // want `two goroutines can both have cleared s.delay in s.dry before both set it, and the timer of the first is never stopped: s.mu is released in between`
	s.mu.Lock()
	defer s.mu.Unlock()
	s.delay = time.AfterFunc(d, func() { s.wet <- struct{}{} })
}
