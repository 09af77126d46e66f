package broken

import "sync"

// Brook can end again, for another reason, if that is not to be quiet.
type Brook struct {
	mu   sync.Mutex
	err  error
	sent int
}

func (s *Brook) Send(n int) error {
	s.mu.Lock()
	if n > 0 && s.err != nil {
		s.mu.Unlock()
		return s.err // want `s.err is accessed here without the lock that all other functions hold for it: s.mu in \(\*Brook\).End`
	}
	s.sent += n
	s.mu.Unlock()
	return nil
}

func (s *Brook) End(quiet bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if quiet && s.err != nil {
		return
	}
	s.err = err
}

func (s *Brook) Sent() (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sent, s.err
}
