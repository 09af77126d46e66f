package broken

import (
	"context"
	"sync"
)

// A Callboard hands answers to those who wait for them.
type Callboard struct {
	mu      sync.Mutex
	waiting map[string]chan string
	in      chan string
}

func NewCallboard() *Callboard {
	return &Callboard{waiting: map[string]chan string{}, in: make(chan string)}
}

func (s *Callboard) Serve() {
	for id := range s.in {
		s.answer(id)
	}
}

func (s *Callboard) answer(id string) {
	s.mu.Lock()
	c := s.waiting[id] // want `c can be closed by another goroutine once s.mu is released, and the send then panics`
	s.mu.Unlock()
	if c != nil {
		c <- id
	}
}

func (s *Callboard) Ask(ctx context.Context, id string) (string, error) {
	c := make(chan string)
	s.mu.Lock()
	s.waiting[id] = c
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		delete(s.waiting, id)
		s.mu.Unlock()
	}()
	select {
	case r := <-c:
		return r, nil
	case <-ctx.Done():
		close(c)
		return "", ctx.Err()
	}
}
