package dhcpalloc

import (
	"errors"
	"net/netip"
	"sync"
)

var ErrExhausted = errors.New("dhcpalloc: pool exhausted")

type Prober interface {
	InUse(netip.Addr) bool
}

type Server struct {
	prefix netip.Prefix
	probe  Prober

	mu     sync.Mutex
	leases map[netip.Addr]string
}

func NewServer(p netip.Prefix, probe Prober) *Server {
	return &Server{prefix: p, probe: probe, leases: map[netip.Addr]string{}}
}

func (s *Server) nextFree(after netip.Addr) (netip.Addr, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for a := after.Next(); s.prefix.Contains(a); a = a.Next() {
		if _, taken := s.leases[a]; !taken {
			return a, true
		}
	}
	return netip.Addr{}, false
}

func (s *Server) Offer(mac string) (netip.Addr, error) {
	cand := s.prefix.Addr()
	for {
		a, ok := s.nextFree(cand)
		if !ok {
			return netip.Addr{}, ErrExhausted
		}
		if s.probe.InUse(a) {
			cand = a
			continue
		}
		s.mu.Lock()
		s.leases[a] = mac
		s.mu.Unlock()
		return a, nil
	}
}

func (s *Server) Release(a netip.Addr, mac string) {
	s.mu.Lock()
	if s.leases[a] == mac {
		delete(s.leases, a)
	}
	s.mu.Unlock()
}
