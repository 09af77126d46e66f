package brokertopic

import (
	"log/slog"
	"sync"
)

type Message struct {
	Topic string
	Seq   uint64
	Body  []byte
}

type Subscription struct {
	ID uint64

	mu     sync.Mutex
	closed bool
	out    chan Message
	topic  *Topic
}

// C delivers the messages; it is closed after Cancel.
func (s *Subscription) C() <-chan Message { return s.out }

func (s *Subscription) isClosed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closed
}

// Cancel ends the subscription. It may be called more than once.
func (s *Subscription) Cancel() {
	s.topic.drop(s.ID)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	s.closed = true
	close(s.out)
}

type Topic struct {
	name string
	log  *slog.Logger

	mu   sync.RWMutex
	next uint64
	seq  uint64
	subs map[uint64]*Subscription
}

func NewTopic(name string, log *slog.Logger) *Topic {
	return &Topic{name: name, log: log.With("topic", name), subs: make(map[uint64]*Subscription)}
}

func (t *Topic) Subscribe(buffer int) *Subscription {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.next++
	s := &Subscription{ID: t.next, out: make(chan Message, buffer), topic: t}
	t.subs[s.ID] = s
	return s
}

func (t *Topic) drop(id uint64) {
	t.mu.Lock()
	delete(t.subs, id)
	t.mu.Unlock()
}

func (t *Topic) begin(body []byte) (Message, []*Subscription) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.seq++
	targets := make([]*Subscription, 0, len(t.subs))
	for _, s := range t.subs {
		targets = append(targets, s)
	}
	return Message{Topic: t.name, Seq: t.seq, Body: body}, targets
}

// Publish hands body to every subscriber and reports how many got it.
func (t *Topic) Publish(body []byte) int {
	msg, targets := t.begin(body)
	delivered := 0
	for _, s := range targets {
		if s.isClosed() {
			continue
		}
		select {
		case s.out <- msg:
			delivered++
		default:
			t.log.Warn("slow subscriber, message dropped", "sub", s.ID, "seq", msg.Seq)
		}
	}
	return delivered
}
