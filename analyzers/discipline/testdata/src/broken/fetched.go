package broken

import (
	"sync"
	"time"
)

// A lease is found in the map under its lock, and so is changed.
type lease struct {
	holder string
	until  time.Time
}

// Leases keeps them by name.
type Leases struct {
	mu  sync.RWMutex
	all map[string]*lease
	log []*lease
}

func (s *Leases) extend(name, holder string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if l := s.all[name]; l != nil {
		l.holder = holder
		l.until = time.Now()
	}
}

func (s *Leases) find(name string) *lease {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.all[name]
}

func (s *Leases) Extend(name, holder string) { s.extend(name, holder) }

func (s *Leases) Holder(name string) (string, time.Time) {
	s.mu.RLock()
	l, ok := s.all[name]
	s.mu.RUnlock()
	if !ok {
		return "", time.Time{}
	}
	return l.holder, l.until // want `l.holder is read here after s.mu was released, under which it was found in s.all: \(\*Leases\).extend changes it with the lock held`
}

func (s *Leases) First() string {
	s.mu.RLock()
	l := s.log[0]
	s.mu.RUnlock()
	return l.holder // want `l.holder is read here after s.mu was released, under which it was found in s.log\[0\]: .*`
}

func (s *Leases) Until(name string) time.Time {
	l := s.find(name)
	if l == nil {
		return time.Time{}
	}
	return l.until // want `l.until is read here after .* was released, under which it was found in .*`
}
