package broken

import (
	"sync"
	"time"
)

// peer is forgotten when it has not been heard of for long.
type peer struct {
	id    string
	heard time.Time
	hops  int
}

func (p *peer) silent(now time.Time) bool { return now.Sub(p.heard) > time.Minute }

type Peers struct {
	mu    sync.RWMutex
	peers map[string]*peer
}

func (s *Peers) Hear(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p, ok := s.peers[id]; ok {
		p.heard = time.Now()
	} else {
		s.peers[id] = &peer{id: id, heard: time.Now()}
	}
}

// Forget collects first and deletes then.
func (s *Peers) Forget(now time.Time) {
	var gone []*peer
	s.mu.RLock()
	for _, p := range s.peers {
		if p.silent(now) { // want `heard can be changed by \(\*Peers\).Hear after it was looked at here and before the entry is deleted from s.peers`
			gone = append(gone, p)
		}
	}
	s.mu.RUnlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range gone {
		delete(s.peers, p.id)
	}
}

func (s *Peers) drop(id string) {
	s.mu.Lock()
	delete(s.peers, id)
	s.mu.Unlock()
}

// Prune deletes by a method that locks.
func (s *Peers) Prune(now time.Time) {
	var gone []string
	s.mu.RLock()
	for id, p := range s.peers {
		if p.hops < 3 && now.After(p.heard.Add(time.Hour)) { // want `heard can be changed by \(\*Peers\).Hear after it was looked at here`
			gone = append(gone, id)
		}
	}
	s.mu.RUnlock()
	for _, id := range gone {
		s.drop(id)
	}
}

// Coupons are values in the map, stored back when they are prolonged.
type Coupons struct {
	mu      sync.Mutex
	coupons map[int]coupon
}

type coupon struct{ until int64 }

func (s *Coupons) Prolong(id int, by int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.coupons[id]
	t.until += by
	s.coupons[id] = t
}

func (s *Coupons) Punch(id int, report func(int)) {
	s.mu.Lock()
	t := s.coupons[id]
	s.mu.Unlock()
	if t.until < time.Now().Unix() { // want `until can be changed by \(\*Coupons\).Prolong after it was looked at here and before the entry is deleted from s.coupons`
		report(id)
		s.mu.Lock()
		delete(s.coupons, id)
		s.mu.Unlock()
	}
}

// PruneEach deletes what it has listed by index, in a list that it keeps.
func (s *Peers) PruneEach(stop <-chan struct{}, tick <-chan time.Time) {
	var gone []string
	for {
		select {
		case <-stop:
			return
		case now := <-tick:
			gone = gone[:0]
			s.mu.RLock()
			for id, p := range s.peers {
				if p.silent(now) { // want `heard can be changed by \(\*Peers\).Hear after it was looked at here`
					gone = append(gone, id)
				}
			}
			s.mu.RUnlock()
			s.mu.Lock()
			for i := range gone {
				delete(s.peers, gone[i])
			}
			s.mu.Unlock()
		}
	}
}
