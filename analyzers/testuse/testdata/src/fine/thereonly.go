package fine

import (
	"sync"
	"time"
)

type ticketOf struct {
	value int
	until time.Time
}

func (t *ticketOf) over() bool { return time.Now().After(t.until) }

// TicketsOf looks at what it deletes.
type TicketsOf struct {
	mu    sync.RWMutex
	all   map[string]*ticketOf
	worth int
}

func (s *TicketsOf) Issue(name string, t *ticketOf) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all[name] = t
	s.worth += t.value
}

// Value asks again whether it is over.
func (s *TicketsOf) Value(name string) int {
	s.mu.RLock()
	t := s.all[name]
	s.mu.RUnlock()
	if t == nil || !t.over() {
		return 0
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if now, ok := s.all[name]; ok && now.over() {
		s.worth -= now.value
		delete(s.all, name)
	}
	return 0
}

// Expire deletes the very one.
func (s *TicketsOf) Expire(name string) {
	s.mu.RLock()
	t := s.all[name]
	s.mu.RUnlock()
	if t == nil || !t.over() {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.take(name, t)
}

func (s *TicketsOf) take(name string, t *ticketOf) {
	if now, ok := s.all[name]; ok && now == t {
		s.worth -= t.value
		delete(s.all, name)
	}
}

// Cancel deletes whatever is there: it was asked only whether there is one.
func (s *TicketsOf) Cancel(name string) bool {
	s.mu.RLock()
	_, ok := s.all[name]
	s.mu.RUnlock()
	if !ok {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if now, ok := s.all[name]; ok {
		s.worth -= now.value
		delete(s.all, name)
		return true
	}
	return false
}
