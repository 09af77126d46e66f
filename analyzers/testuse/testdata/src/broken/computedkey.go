package broken

import (
	"errors"
	"strings"
	"sync"
)

type postcard struct{ to, street string }

// Sorter keeps postcards by keys that it computes.
type Sorter struct {
	mu        sync.RWMutex
	postcards map[string]*postcard
	belts     map[string]*belt
}

func slotOf(to, street string) string { return to + "/" + street }

func (s *Sorter) has(to, street string) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	_, ok := s.postcards[slotOf(to, street)]
	return ok
}

func (s *Sorter) Add(p *postcard) error {
	if s.has(p.to, p.street) { // want `two goroutines can both pass the test of s.postcards \(in s.has\) and both set it`
		return errors.New("twice")
	}
	key := slotOf(p.to, p.street)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.postcards[key] = p
	return nil
}

func (s *Sorter) waiting(to string) *postcard {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.postcards[strings.ToLower(to)]
}

func (s *Sorter) Push(to string, p *postcard) bool {
	if s.waiting(to) != nil { // want `two goroutines can both pass the test of s.postcards \(in s.waiting\) and both set it`
		return false
	}
	name := strings.ToLower(to)
	s.mu.Lock()
	s.postcards[name] = p
	s.mu.Unlock()
	return true
}

type belt struct {
	name string
	runs chan int
}

func (b *belt) Name() string { return b.name }

func startBelt(name string, speed int) (*belt, error) {
	b := &belt{strings.TrimSpace(name), make(chan int)}
	go func() { b.runs <- speed }()
	return b, nil
}

// Start keeps what it has started by the name that this has.
func (s *Sorter) Start(name string) (*belt, error) {
	s.mu.RLock()
	b, ok := s.belts[name] // want `two goroutines can both pass the test of s.belts\[name\] and both set it`
	s.mu.RUnlock()
	if ok {
		return b, nil
	}
	fresh, err := startBelt(name, 3)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	s.belts[fresh.Name()] = fresh
	s.mu.Unlock()
	return fresh, nil
}
