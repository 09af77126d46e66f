package fine

import "sync"

// Stream ends once: what Err returns is the last error that there will be.
type Stream struct {
	mu   sync.Mutex
	err  error
	sent int
}

func (s *Stream) Send(n int) error {
	s.mu.Lock()
	if s.err != nil {
		s.mu.Unlock()
		return s.err
	}
	s.sent += n
	s.mu.Unlock()
	return nil
}

func (s *Stream) End(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return
	}
	s.err = err
}

func (s *Stream) Sent() (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sent, s.err
}
