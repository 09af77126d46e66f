package broken

import "sync"

// visit is counted by those who have it.
type visit struct{ n int }

func newVisit(name string) *visit { return &visit{n: len(name)} }

func (v *visit) count() { v.n++ }

// Visits hands out objects that their users change: two of one name count apart.
type Visits struct {
	byName sync.Map
	byID   sync.Map
	next   int
	mu     sync.Mutex
}

func (s *Visits) Get(name string) *visit {
	if v, ok := s.byName.Load(name); ok { // want `s.byName\[name\] and both set it: Load and Store are two operations`
		return v.(*visit)
	}
	v := newVisit(name)
	s.byName.Store(name, v)
	return v
}

func Count(s *Visits, name string) { s.Get(name).count() }

// number differs from call to call.
func (s *Visits) number(name string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next++
	return name + string(rune('a'+s.next))
}

type ticket struct{ text string }

func (t *ticket) Close() { println(t.text) }

func (s *Visits) Ticket(name string) *ticket {
	if v, ok := s.byID.Load(name); ok { // want `s.byID\[name\] and both set it: Load and Store are two operations`
		return v.(*ticket)
	}
	v := &ticket{s.number(name)}
	s.byID.Store(name, v)
	return v
}
