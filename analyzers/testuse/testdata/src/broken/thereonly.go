package broken

import (
	"sync"
	"time"
)

type voucher struct {
	value int
	until time.Time
}

func (v voucher) over() bool { return time.Now().After(v.until) }

// Vouchers counts what they are worth.
type Vouchers struct {
	mu    sync.RWMutex
	all   map[string]voucher
	worth int
}

func (s *Vouchers) Issue(name string, v voucher) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if old, ok := s.all[name]; ok {
		s.worth -= old.value
	}
	s.all[name] = v
	s.worth += v.value
}

// Value deletes by a function that looks whether there is one.
func (s *Vouchers) Value(name string) int {
	s.mu.RLock()
	v, ok := s.all[name] // want `what is deleted from s.all can be another entry than the one that was looked at here`
	s.mu.RUnlock()
	if !ok {
		return 0
	}
	if !v.over() {
		return v.value
	}
	s.mu.Lock()
	s.take(name)
	s.mu.Unlock()
	return 0
}

func (s *Vouchers) take(name string) bool {
	v, ok := s.all[name]
	if ok {
		s.worth -= v.value
		delete(s.all, name)
	}
	return ok
}

// Expire does so itself.
func (s *Vouchers) Expire(name string, tell func(voucher)) {
	s.mu.RLock()
	v := s.all[name] // want `what is deleted from s.all can be another entry than the one that was looked at here`
	s.mu.RUnlock()
	if !v.over() {
		return
	}
	tell(v)
	s.mu.Lock()
	defer s.mu.Unlock()
	if old, ok := s.all[name]; ok {
		s.worth -= old.value
		delete(s.all, name)
	}
}
