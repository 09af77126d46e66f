package broken

import (
	"sync"
	"time"
)

// Pawnshop keeps each pledged for a while.
type Pawnshop struct {
	sync.RWMutex
	shelf    map[string]pledged
	returned func(key string, what any)
}

type pledged struct {
	what  any
	until int64
}

func (p pledged) overdue() bool {
	if p.until == 0 {
		return false
	}
	return time.Now().UnixNano() > p.until
}

func NewPawnshop(returned func(key string, what any)) *Pawnshop {
	return &Pawnshop{shelf: map[string]pledged{}, returned: returned}
}

func (s *Pawnshop) Leave(key string, what any, keep time.Duration) {
	var until int64
	if keep > 0 {
		until = time.Now().Add(keep).UnixNano()
	}
	s.Lock()
	s.shelf[key] = pledged{what: what, until: until}
	s.Unlock()
}

// Fetch sends back what has lain too long, and what has come meanwhile with it.
func (s *Pawnshop) Fetch(key string) (any, bool) {
	s.RLock()
	if p, ok := s.shelf[key]; !ok {
		s.RUnlock()
		return nil, false
	} else {
		if p.overdue() { // want `\(\*Pawnshop\).Leave can put a fresh entry into s.shelf after the old one was looked at here and before the key is deleted`
			s.RUnlock()
			s.Return(key)
			return nil, false
		}
		s.RUnlock()
		return p.what, true
	}
}

func (s *Pawnshop) Return(key string) {
	s.Lock()
	what, ok := s.clear(key)
	s.Unlock()
	if ok && s.returned != nil {
		s.returned(key, what)
	}
}

func (s *Pawnshop) clear(key string) (any, bool) {
	p, ok := s.shelf[key]
	if !ok {
		return nil, false
	}
	delete(s.shelf, key)
	return p.what, true
}
