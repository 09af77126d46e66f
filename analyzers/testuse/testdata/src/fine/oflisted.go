package fine

import "sync"

type scroll struct {
	mu      sync.Mutex
	renewed bool
	text    []byte
}

// Scrolls claims one in the critical section that has found it due.
type Scrolls struct {
	mu      sync.Mutex
	scrolls map[string]*scroll
	fetch   func(string) ([]byte, error)
}

func (s *Scrolls) scroll(k string) *scroll {
	s.mu.Lock()
	defer s.mu.Unlock()
	e, ok := s.scrolls[k]
	if !ok {
		e = &scroll{}
		s.scrolls[k] = e
	}
	return e
}

func (e *scroll) claim() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.renewed {
		return false
	}
	e.renewed = true
	return true
}

func (s *Scrolls) Get(k string) []byte {
	e := s.scroll(k)
	if e.claim() {
		go s.renew(k, e)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.text
}

func (s *Scrolls) renew(k string, e *scroll) {
	v, err := s.fetch(k)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.renewed = false
	if err == nil {
		e.text = v
	}
}
