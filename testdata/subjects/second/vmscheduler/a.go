package vmscheduler

import (
	"errors"
	"sync"
)

var ErrNoHost = errors.New("vmscheduler: no host fits")

type host struct {
	name string
	free int
}

type Scheduler struct {
	mu        sync.Mutex
	hosts     []*host
	placement map[string]*host
	sizes     map[string]int
}

func New(capacity map[string]int) *Scheduler {
	s := &Scheduler{placement: map[string]*host{}, sizes: map[string]int{}}
	for n, c := range capacity {
		s.hosts = append(s.hosts, &host{n, c})
	}
	return s
}

func (s *Scheduler) pickLocked(size int) *host {
	var best *host
	for _, h := range s.hosts {
		if h.free >= size && (best == nil || h.free < best.free) {
			best = h
		}
	}
	return best
}

func (s *Scheduler) placeLocked(vm string, size int) error {
	h := s.pickLocked(size)
	if h == nil {
		return ErrNoHost
	}
	h.free -= size
	s.placement[vm] = h
	s.sizes[vm] = size
	return nil
}

func (s *Scheduler) Place(vm string, size int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.placement[vm]; ok {
		return nil
	}
	return s.placeLocked(vm, size)
}

func (s *Scheduler) Resize(vm string, size int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if h, ok := s.placement[vm]; ok {
		h.free += s.sizes[vm]
		delete(s.placement, vm)
	}
	return s.placeLocked(vm, size)
}
