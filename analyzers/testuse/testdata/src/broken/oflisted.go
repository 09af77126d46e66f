package broken

import (
	"sync"
	"time"
)

type gazette struct {
	mu      sync.Mutex
	renewed bool
	text    []byte
	until   time.Time
}

// Gazettes renews one that is out of date.
type Gazettes struct {
	mu       sync.Mutex
	gazettes map[string]*gazette
	fetch    func(string) ([]byte, error)
}

func (s *Gazettes) gazette(k string) *gazette {
	s.mu.Lock()
	defer s.mu.Unlock()
	e, ok := s.gazettes[k]
	if !ok {
		e = &gazette{}
		s.gazettes[k] = e
	}
	return e
}

func (e *gazette) due() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return !e.renewed
}

func (s *Gazettes) Get(k string) []byte {
	e := s.gazette(k)
	if e.due() { // want `two goroutines can both pass the test of e.renewed \(in e.due\) and both set it: e.mu is released in between`
		e.mu.Lock()
		e.renewed = true
		e.mu.Unlock()
		go s.renew(k, e)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.text
}

func (s *Gazettes) renew(k string, e *gazette) {
	v, err := s.fetch(k)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.renewed = false
	if err == nil {
		e.text = v
	}
}
