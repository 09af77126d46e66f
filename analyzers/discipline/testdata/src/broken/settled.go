package broken

import "sync"

// Stream can end more than once.
type Stream struct {
	mu   sync.Mutex
	err  error
	sent int
}

func (s *Stream) Send(n int) error {
	s.mu.Lock()
	if s.err != nil {
		s.mu.Unlock()
		return s.err // want `s.err is accessed here without the lock that all other functions hold for it: s.mu`
	}
	s.sent += n
	s.mu.Unlock()
	return nil
}

func (s *Stream) End(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err = err
}

func (s *Stream) Sent() (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sent, s.err
}

// Pipe ends once, and yet its error is looked at before it is known to be there.
type Pipe struct {
	mu   sync.Mutex
	err  error
	sent int
}

func (p *Pipe) Send(n int) error {
	p.mu.Lock()
	p.sent += n
	p.mu.Unlock()
	return p.err // want `p.err is accessed here without the lock that all other functions hold for it: p.mu`
}

func (p *Pipe) End(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err != nil {
		return
	}
	p.err = err
}

func (p *Pipe) Sent() (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err != nil {
		return 0, p.err
	}
	return p.sent, nil
}

func (p *Pipe) Over() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err != nil
}
