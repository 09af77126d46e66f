package upstreamset

import (
	"errors"
	"slices"
	"sync"
)

type Upstream struct {
	Addr   string
	Weight int
}

type Set struct {
	mu   sync.Mutex
	list []Upstream
	next int
}

var ErrNotFound = errors.New("upstreamset: no such upstream")

func NewSet(ups ...Upstream) *Set { return &Set{list: slices.Clone(ups)} }

func (s *Set) Add(u Upstream) {
	s.mu.Lock()
	s.list = append(s.list, u)
	s.mu.Unlock()
}

func (s *Set) index(addr string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.IndexFunc(s.list, func(u Upstream) bool { return u.Addr == addr })
}

func (s *Set) cut(i int) Upstream {
	s.mu.Lock()
	defer s.mu.Unlock()
	u := s.list[i]
	s.list = slices.Delete(s.list, i, i+1)
	return u
}

func (s *Set) Remove(addr string) (Upstream, error) {
	i := s.index(addr)
	if i < 0 {
		return Upstream{}, ErrNotFound
	}
	return s.cut(i), nil
}

func (s *Set) Next() (Upstream, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.list) == 0 {
		return Upstream{}, false
	}
	u := s.list[s.next%len(s.list)]
	s.next++
	return u, true
}
