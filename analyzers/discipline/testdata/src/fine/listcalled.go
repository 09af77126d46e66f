package fine

import "sync"

type order struct {
	mu    sync.Mutex
	name  string
	state string
	tries int
}

// Orders are listed, and read under a lock, or copied.
type Orders struct {
	mu     sync.Mutex
	orders map[string]*order
}

func (s *Orders) list() []*order {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.listLocked()
}

func (s *Orders) listLocked() []*order {
	var out []*order
	for _, t := range s.orders {
		out = append(out, t)
	}
	return out
}

// copies are objects of the caller's own.
func (s *Orders) copies() []*order {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []*order
	for _, t := range s.orders {
		c := &order{name: t.name, state: t.state, tries: t.tries}
		out = append(out, c)
	}
	return out
}

func (s *Orders) Queued() []string {
	var names []string
	for _, t := range s.copies() {
		if t.state == "queued" {
			names = append(names, t.name)
		}
	}
	return names
}

func (s *Orders) Most() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, t := range s.listLocked() {
		n = max(n, t.tries)
	}
	return n
}

// Names do not change.
func (s *Orders) Names() []string {
	var names []string
	for _, t := range s.list() {
		names = append(names, t.name)
	}
	return names
}

func (s *Orders) Retry(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t := s.orders[name]; t != nil {
		t.tries++
		t.state = "queued"
	}
}
