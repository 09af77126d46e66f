package broken

import "sync"

// Statement is one of no driver: its callers can be several.
type Statement struct {
	mu     sync.Mutex
	sent   int
	closed chan struct{}
}

func (s *Statement) Close() error {
	if s.closed == nil { // want `two goroutines can both pass the test of s.closed and close s.closed twice`
		return nil
	}
	close(s.closed)
	s.closed = nil
	return nil
}

func (s *Statement) Send() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sent++
}
