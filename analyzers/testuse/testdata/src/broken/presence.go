package broken

import (
	"sync"
	"time"
)

type lodging struct {
	used  time.Time
	close func() error
}

// Lodgings are freed when nobody has used them for a while.
type Lodgings struct {
	mu       sync.Mutex
	lodgings map[string]lodging
	ask      func([]string) error
}

func NewLodgings() *Lodgings {
	s := &Lodgings{lodgings: map[string]lodging{}}
	go s.reap()
	return s
}

func (s *Lodgings) Touch(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	x, ok := s.lodgings[id]
	if !ok {
		return false
	}
	x.used = time.Now()
	s.lodgings[id] = x
	return true
}

func (s *Lodgings) reap() {
	for now := range time.Tick(time.Second) {
		var ids []string
		s.mu.Lock()
		for id, x := range s.lodgings {
			if now.Sub(x.used) > time.Minute { // want `used can be changed by \(\*Lodgings\).Touch after it was looked at here and before the entry is deleted from s.lodgings: the lock is released in between, and nothing is looked at again`
				ids = append(ids, id)
			}
		}
		s.mu.Unlock()
		if s.ask(ids) != nil {
			continue
		}
		s.mu.Lock()
		for _, id := range ids {
			x, ok := s.lodgings[id]
			if !ok {
				continue
			}
			delete(s.lodgings, id)
			if err := x.close(); err != nil {
				println(id)
			}
		}
		s.mu.Unlock()
	}
}
