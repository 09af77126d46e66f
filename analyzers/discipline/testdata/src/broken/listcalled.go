package broken

import (
	"sync"
)

type errand struct {
	name  string
	state string
	tries int
}

// Errands are listed by a method, and read by others.
type Errands struct {
	mu      sync.Mutex
	errands map[string]*errand
}

func (s *Errands) list() []*errand {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]*errand, 0, len(s.errands))
	for _, t := range s.errands {
		out = append(out, t)
	}
	return out
}

func (s *Errands) Queued() []string {
	var names []string
	for _, t := range s.list() {
		if t.state == "queued" { // want `t.state is read here without mu, under which \(\*Errands\).list has put the objects into a list: the list is a copy, and what it holds is not, as \(\*Errands\).Retry changes it`
			names = append(names, t.name)
		}
	}
	return names
}

func (s *Errands) Most() int {
	n := 0
	all := s.list()
	for _, t := range all {
		n = max(n, t.tries) // want `t.tries is read here without mu, under which \(\*Errands\).list`
	}
	return n
}

func (s *Errands) Retry(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t := s.errands[name]; t != nil {
		t.tries++
		t.state = "queued"
	}
}
