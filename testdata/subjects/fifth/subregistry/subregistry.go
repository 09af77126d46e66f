// Package subregistry keeps the subscriptions of sessions to topics.
package subregistry

import (
	"errors"
	"fmt"
	"log/slog"
	"sync"
)

var ErrGone = errors.New("subregistry: subscription has ended")

type Event struct {
	Topic   string
	Payload []byte
}

// Subscription is one session's interest in a topic.
type Subscription struct {
	ID    string
	Topic string

	box     sync.Mutex
	backlog []Event
	limit   int
	ended   bool
	end     chan struct{}
}

// Done is closed when the subscription has ended.
func (s *Subscription) Done() <-chan struct{} { return s.end }

func (s *Subscription) push(ev Event) bool {
	s.box.Lock()
	defer s.box.Unlock()
	if len(s.backlog) >= s.limit {
		return false
	}
	s.backlog = append(s.backlog, ev)
	return true
}

// Take returns what has come in since the last call.
func (s *Subscription) Take() ([]Event, error) {
	s.box.Lock()
	defer s.box.Unlock()
	got := s.backlog
	s.backlog = nil
	if len(got) == 0 {
		select {
		case <-s.end:
			return nil, ErrGone
		default:
		}
	}
	return got, nil
}

// Cancel ends the subscription from the session's side.
func (s *Subscription) Cancel() {
	s.box.Lock()
	defer s.box.Unlock()
	if !s.ended {
		s.ended = true
		close(s.end)
	}
}

type Registry struct {
	limit int
	log   *slog.Logger

	all sync.Mutex
	by  map[string]map[string]*Subscription // topic, id
}

func New(limit int, log *slog.Logger) *Registry {
	return &Registry{limit: limit, log: log, by: make(map[string]map[string]*Subscription)}
}

func (r *Registry) Subscribe(id, topic string) (*Subscription, error) {
	r.all.Lock()
	defer r.all.Unlock()
	subs := r.by[topic]
	if subs == nil {
		subs = make(map[string]*Subscription)
		r.by[topic] = subs
	}
	if _, dup := subs[id]; dup {
		return nil, fmt.Errorf("subregistry: %s has subscribed to %s already", id, topic)
	}
	s := &Subscription{ID: id, Topic: topic, limit: r.limit, end: make(chan struct{})}
	subs[id] = s
	return s, nil
}

// Publish queues an event for all subscriptions of its topic; those that are full are ended.
func (r *Registry) Publish(ev Event) int {
	r.all.Lock()
	defer r.all.Unlock()
	n := 0
	for id, s := range r.by[ev.Topic] {
		if s.push(ev) {
			n++
			continue
		}
		delete(r.by[ev.Topic], id)
		r.log.Warn("subscription overflows", "id", id, "topic", ev.Topic)
		if !s.ended {
			s.ended = true
			close(s.end)
		}
	}
	return n
}

// Unsubscribe forgets a subscription that its session has cancelled.
func (r *Registry) Unsubscribe(id, topic string) {
	r.all.Lock()
	defer r.all.Unlock()
	delete(r.by[topic], id)
	if len(r.by[topic]) == 0 {
		delete(r.by, topic)
	}
}
