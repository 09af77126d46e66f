package fine

import "sync"

// Who goes on after a method that drops the lock looks again.

type Spindle struct {
	mu   sync.Mutex
	tape []byte
	at   int
	sink func([]byte) error
}

func NewSpindle(n int, sink func([]byte) error) *Spindle {
	return &Spindle{tape: make([]byte, n), sink: sink}
}

func (s *Spindle) turnLocked() {
	full := s.tape[:s.at]
	s.tape = make([]byte, len(s.tape))
	s.at = 0
	s.mu.Unlock()
	_ = s.sink(full)
	s.mu.Lock()
}

// resetLocked keeps the lock.
func (s *Spindle) resetLocked() { s.at = 0 }

func (s *Spindle) Record(b []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := s.at
	for at+len(b) > len(s.tape) {
		s.turnLocked()
		at = s.at
	}
	copy(s.tape[at:], b)
	s.at = at + len(b)
}

func (s *Spindle) Count(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.at+n > len(s.tape) {
		s.turnLocked()
	}
	s.at += n
}

func (s *Spindle) Reset(b []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := s.at
	if at+len(b) > len(s.tape) {
		at = 0
		s.resetLocked()
	}
	copy(s.tape[at:], b)
	s.at = at + len(b)
}
