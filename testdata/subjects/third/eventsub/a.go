package eventsub

import (
	"context"
	"sync"
)

type Event struct {
	Kind   string
	Object any
}

type Subscription struct {
	b  *Broadcaster
	ch chan Event

	mu     sync.Mutex
	closed bool
}

type Broadcaster struct {
	mu   sync.Mutex
	subs map[*Subscription]struct{}
}

func NewBroadcaster() *Broadcaster {
	return &Broadcaster{subs: make(map[*Subscription]struct{})}
}

func (b *Broadcaster) Subscribe(ctx context.Context, depth int) *Subscription {
	s := &Subscription{b: b, ch: make(chan Event, depth)}
	b.mu.Lock()
	b.subs[s] = struct{}{}
	b.mu.Unlock()
	context.AfterFunc(ctx, s.Unsubscribe)
	return s
}

func (s *Subscription) Events() <-chan Event { return s.ch }

func (s *Subscription) Unsubscribe() {
	s.b.mu.Lock()
	delete(s.b.subs, s)
	s.b.mu.Unlock()

	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	s.closed = true
	close(s.ch)
}

func (s *Subscription) offer(e Event) bool {
	s.mu.Lock()
	gone := s.closed
	s.mu.Unlock()
	if gone {
		return false
	}
	select {
	case s.ch <- e:
		return true
	default:
		return false
	}
}

func (b *Broadcaster) Publish(e Event) {
	b.mu.Lock()
	targets := make([]*Subscription, 0, len(b.subs))
	for s := range b.subs {
		targets = append(targets, s)
	}
	b.mu.Unlock()
	for _, s := range targets {
		s.offer(e)
	}
}
