package fine

import (
	"sync"
	"time"
)

type guest struct {
	id      string
	seen    time.Time
	born    time.Time
	left    bool
	session *guest
}

type Guests struct {
	mu     sync.RWMutex
	guests map[string]*guest
}

func (s *Guests) See(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if g, ok := s.guests[id]; ok {
		g.seen = time.Now()
		return
	}
	s.guests[id] = &guest{id: id, seen: time.Now(), born: time.Now()}
}

func (s *Guests) Leave(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if g, ok := s.guests[id]; ok {
		g.left = true
	}
}

// Sweep looks again under the lock under which it deletes.
func (s *Guests) Sweep(now time.Time) {
	var late []string
	s.mu.RLock()
	for id, g := range s.guests {
		if now.Sub(g.seen) > time.Minute {
			late = append(late, id)
		}
	}
	s.mu.RUnlock()
	for _, id := range late {
		s.mu.Lock()
		if g, ok := s.guests[id]; ok && now.Sub(g.seen) > time.Minute {
			delete(s.guests, id)
		}
		s.mu.Unlock()
	}
}

// Same asks whether it is still the one that was seen, which is another look.
func (s *Guests) Same(now time.Time) {
	var late []*guest
	s.mu.RLock()
	for _, g := range s.guests {
		if now.Sub(g.seen) > time.Minute {
			late = append(late, g)
		}
	}
	s.mu.RUnlock()
	for _, g := range late {
		s.mu.Lock()
		if now.Sub(g.seen) > time.Minute {
			delete(s.guests, g.id)
		}
		s.mu.Unlock()
	}
}

// Old goes by what never changes, and Gone by what changes once.
func (s *Guests) Old(now time.Time) {
	var old, gone []string
	s.mu.RLock()
	for id, g := range s.guests {
		if now.Sub(g.born) > time.Hour {
			old = append(old, id)
		}
	}
	for id, g := range s.guests {
		if g.left {
			gone = append(gone, id)
		}
	}
	s.mu.RUnlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, id := range append(old, gone...) {
		delete(s.guests, id)
	}
	for _, id := range gone {
		delete(s.guests, id)
	}
}

// Once does both under one lock.
func (s *Guests) Once(now time.Time) {
	var late []string
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, g := range s.guests {
		if now.Sub(g.seen) > time.Minute {
			late = append(late, id)
		}
	}
	for _, id := range late {
		delete(s.guests, id)
	}
}

// rota is kept by one goroutine, which alone renews and removes; others look on.
type rota struct {
	mu    sync.RWMutex
	turns map[int]*turn
	in    chan int
}

type turn struct{ at time.Time }

func newRota() *rota {
	r := &rota{turns: map[int]*turn{}, in: make(chan int)}
	go r.run()
	return r
}

func (r *rota) run() {
	for k := range r.in {
		r.renew(k)
		r.expire(time.Now())
	}
}

func (r *rota) renew(k int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if t := r.turns[k]; t != nil {
		t.at = time.Now()
	} else {
		r.turns[k] = &turn{time.Now()}
	}
}

func (r *rota) expire(now time.Time) {
	var over []int
	r.mu.RLock()
	for k, t := range r.turns {
		if now.Sub(t.at) > time.Second {
			over = append(over, k)
		}
	}
	r.mu.RUnlock()
	for _, k := range over {
		r.mu.Lock()
		delete(r.turns, k)
		r.mu.Unlock()
	}
}

// Rota is for everybody.
type Rota struct {
	mu    sync.RWMutex
	turns map[int]*turn
}

// Renew may be called by any goroutine.
func (r *Rota) Renew(k int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if t := r.turns[k]; t != nil {
		t.at = time.Now()
	} else {
		r.turns[k] = &turn{time.Now()}
	}
}

// Expire looks at each entry again before it deletes it.
func (r *Rota) Expire(now time.Time) {
	var over []int
	r.mu.RLock()
	for k, t := range r.turns {
		if now.Sub(t.at) > time.Second {
			over = append(over, k)
		}
	}
	r.mu.RUnlock()
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range over {
		if t := r.turns[over[i]]; t != nil && now.Sub(t.at) > time.Second {
			delete(r.turns, over[i])
		}
	}
}
