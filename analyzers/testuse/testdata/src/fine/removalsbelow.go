package fine

import (
	"sync"
	"time"
)

// Pawnshop keeps each pledged for a while.
type Pawnshop struct {
	sync.RWMutex
	shelf map[string]pledged
	names map[string]string
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

func NewPawnshop() *Pawnshop {
	return &Pawnshop{shelf: map[string]pledged{}, names: map[string]string{}}
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

// Fetch has what it deletes looked at again.
func (s *Pawnshop) Fetch(key string) (any, bool) {
	s.RLock()
	p, ok := s.shelf[key]
	s.RUnlock()
	if !ok {
		return nil, false
	}
	if p.overdue() {
		s.returnOverdue(key)
		return nil, false
	}
	return p.what, true
}

func (s *Pawnshop) returnOverdue(key string) {
	s.Lock()
	s.clearOverdue(key)
	s.Unlock()
}

func (s *Pawnshop) clearOverdue(key string) bool {
	p, ok := s.shelf[key]
	if !ok || !p.overdue() {
		return false
	}
	delete(s.shelf, key)
	return true
}

// Take holds the lock from the look to the deletion.
func (s *Pawnshop) Take(key string) (any, bool) {
	s.Lock()
	defer s.Unlock()
	p, ok := s.shelf[key]
	if !ok {
		return nil, false
	}
	if p.overdue() {
		s.clear(key)
		return nil, false
	}
	return p.what, true
}

func (s *Pawnshop) clear(key string) (any, bool) {
	p, ok := s.shelf[key]
	if ok {
		delete(s.shelf, key)
	}
	return p.what, ok
}

// Rename deletes another key than the one that it has looked at.
func (s *Pawnshop) Rename(key, to string) {
	s.RLock()
	p, ok := s.shelf[key]
	s.RUnlock()
	if ok && p.overdue() {
		s.Lock()
		delete(s.names, key)
		s.Unlock()
	}
}
