package broken

import (
	"slices"
	"sync"
)

// What is added while the others are asked is lost.

type Hosts struct {
	mu    sync.Mutex
	hosts []string
	alive func(string) bool
}

func (h *Hosts) Add(host string) {
	h.mu.Lock()
	h.hosts = append(h.hosts, host)
	h.mu.Unlock()
}

func (h *Hosts) Ask() {
	h.mu.Lock()
	all := slices.Clone(h.hosts) // want `both read h.hosts before either stores it, and one update is lost`
	h.mu.Unlock()
	left := make([]string, 0, len(all))
	for _, host := range all {
		if h.alive(host) {
			left = append(left, host)
		}
	}
	h.mu.Lock()
	h.hosts = left
	h.mu.Unlock()
}

// A number under a key, from a local that is 0 at first.

type Votes struct{ of sync.Map }

func (v *Votes) Count(name string) {
	var n int
	if was, ok := v.of.Load(name); ok { // want `both read v.of\[name\] before either stores it, and one update is lost`
		n = was.(int)
	}
	v.of.Store(name, n+1)
}

// The entry belongs to the map, and the map's lock guards both.

type Site struct {
	mu    sync.RWMutex
	pages map[string]*sitePage
}

type sitePage struct {
	text string
	hits int
}

func (s *Site) Put(name, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pages[name] = &sitePage{text: text}
}

func (s *Site) Get(name string) string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	p := s.pages[name]
	if p == nil {
		return ""
	}
	p.hits++ // want `both read p.hits before either stores it, and one update is lost: s.mu is held for reading only`
	return p.text
}

func (s *Site) Unseen() (names []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, p := range s.pages {
		if p.hits == 0 {
			names = append(names, name)
		}
	}
	return names
}
