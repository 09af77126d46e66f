package fine

import (
	"sync"
	"sync/atomic"
)

// A spool is held by those who wind it.
type spool struct {
	hands atomic.Int32
	mu    sync.Mutex
	ended bool
	over  chan struct{}
	end   sync.Once
	motor interface{ Close() error }
}

func (s *spool) Take() { s.hands.Add(1) }

// Let ends the motor when the last one lets go.
func (s *spool) Let() {
	if s.hands.Add(-1) == 0 {
		_ = s.motor.Close()
	}
}

// Claim tells who ends it.
func (s *spool) Claim() {
	s.hands.Add(-1)
	if s.hands.Load() == 0 && s.hands.CompareAndSwap(0, -1) {
		_ = s.motor.Close()
	}
}

func (s *spool) Once() {
	s.hands.Add(-1)
	if s.hands.Load() == 0 {
		s.end.Do(func() { close(s.over) })
	}
}

func (s *spool) Marked() {
	s.hands.Add(-1)
	if s.hands.Load() == 0 {
		s.mu.Lock()
		defer s.mu.Unlock()
		if !s.ended {
			s.ended = true
			close(s.over)
		}
	}
}

func (s *spool) Locked() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hands.Add(-1)
	if s.hands.Load() == 0 {
		close(s.over)
	}
}

// Log tells how many are left.
func (s *spool) Log() {
	s.hands.Add(-1)
	if s.hands.Load() == 0 {
		println("nobody is left")
	}
}
