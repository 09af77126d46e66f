package fine

import (
	"sync"
	"sync/atomic"
)

// A Permit is looked for again.
type Permit struct {
	making  sync.Mutex
	current atomic.Pointer[string]
}

func (p *Permit) Get() string {
	if c := p.current.Load(); c != nil {
		return *c
	}
	p.making.Lock()
	defer p.making.Unlock()
	if c := p.current.Load(); c != nil {
		return *c
	}
	fresh := obtain()
	p.current.Store(&fresh)
	return fresh
}

// Drop forgets it.
func (p *Permit) Drop() { p.current.Store(nil) }

// A Summary is made again of what the lock guards: one is as good as the other.
type Summary struct {
	mu     sync.Mutex
	items  []string
	joined atomic.Pointer[string]
}

func (s *Summary) Get() string {
	if j := s.joined.Load(); j != nil {
		return *j
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	fresh := joinAll(s.items)
	s.joined.Store(&fresh)
	return fresh
}

// Add makes it out of date.
func (s *Summary) Add(item string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.items = append(s.items, item)
	s.joined.Store(nil)
}

func joinAll(items []string) (all string) {
	for _, i := range items {
		all += i
	}
	return all
}

func obtain() string { return "permit" }
