package fine

import (
	"slices"
	"sync"
)

// What is left is put into another field: nothing that is added is lost.

type Lamps struct {
	mu    sync.Mutex
	lamps []string
	lit   []string
	on    func(string) bool
}

func (l *Lamps) Add(lamp string) {
	l.mu.Lock()
	l.lamps = append(l.lamps, lamp)
	l.mu.Unlock()
}

func (l *Lamps) Look() {
	l.mu.Lock()
	all := slices.Clone(l.lamps)
	l.mu.Unlock()
	var lit []string
	for _, lamp := range all {
		if l.on(lamp) {
			lit = append(lit, lamp)
		}
	}
	l.mu.Lock()
	l.lit = lit
	l.mu.Unlock()
}

// A new list, of what was given.

func (l *Lamps) Replace(given []string) {
	l.mu.Lock()
	n := len(l.lamps)
	l.mu.Unlock()
	var list []string
	for _, lamp := range given[:min(n, len(given))] {
		list = append(list, lamp)
	}
	l.mu.Lock()
	l.lamps = list
	l.mu.Unlock()
}

// The entry has a lock of its own.

type Stands struct {
	mu     sync.RWMutex
	stands map[string]*stand
}

type stand struct {
	mu   sync.Mutex
	sold int
}

func (s *Stands) Put(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stands[name] = &stand{}
}

func (s *Stands) Sell(name string) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if st := s.stands[name]; st != nil {
		st.mu.Lock()
		st.sold++
		st.mu.Unlock()
	}
}

func (s *Stands) Sold() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, st := range s.stands {
		st.mu.Lock()
		n += st.sold
		st.mu.Unlock()
	}
	return n
}
