package store

import "sync"

// Alerts are stored by what they are known by.
type Alerts struct {
	mu sync.Mutex
	m  map[string]*Alert
}

type Alert struct {
	Labels string
	Count  int
}

func (a *Alert) Fingerprint() string { return a.Labels }

func (a *Alert) Merge(b *Alert) *Alert { return &Alert{a.Labels, a.Count + b.Count} }

func (s *Alerts) Get(fingerprint string) (*Alert, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a, ok := s.m[fingerprint]
	return a, ok
}

func (s *Alerts) Set(a *Alert) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.m[a.Fingerprint()] = a
}

func (s *Alerts) SetByLabels(a *Alert) {
	labels := a.Labels
	s.mu.Lock()
	defer s.mu.Unlock()
	s.m[labels] = a
}
