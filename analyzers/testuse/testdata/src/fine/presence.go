package fine

import (
	"sync"
	"time"
)

type lodging struct {
	used  time.Time
	close func() error
}

func (s *lodging) old(now time.Time) bool { return now.Sub(s.used) > time.Minute }

// Lodgings are freed when nobody has used them for a while.
type Lodgings struct {
	mu       sync.Mutex
	lodgings map[string]*lodging
}

func NewLodgings() *Lodgings {
	s := &Lodgings{lodgings: map[string]*lodging{}}
	go s.reap(true)
	go s.reap(false)
	return s
}

func (s *Lodgings) Touch(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if x := s.lodgings[id]; x != nil {
		x.used = time.Now()
	}
}

func (s *Lodgings) reap(byMethod bool) {
	for now := range time.Tick(time.Second) {
		var ids []string
		s.mu.Lock()
		for id, x := range s.lodgings {
			if now.Sub(x.used) > time.Minute {
				ids = append(ids, id)
			}
		}
		s.mu.Unlock()
		for _, id := range ids {
			s.mu.Lock()
			x, ok := s.lodgings[id]
			old := ok && x.old(now)
			if old {
				delete(s.lodgings, id)
				x.close()
			}
			s.mu.Unlock()
		}
	}
}
