package mqttsubs

import (
	"errors"
	"slices"
	"sync"
)

var ErrNotSubscribed = errors.New("mqtt: not subscribed")

type Subscriber struct {
	ClientID string
	QoS      byte
	Out      chan []byte
}

type Topic struct {
	filter string
	mu     sync.RWMutex
	subs   []*Subscriber
}

func NewTopic(filter string) *Topic { return &Topic{filter: filter} }

func (t *Topic) Subscribe(s *Subscriber) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.subs = append(t.subs, s)
}

func (t *Topic) find(clientID string) int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return slices.IndexFunc(t.subs, func(s *Subscriber) bool {
		return s.ClientID == clientID
	})
}

func (t *Topic) Unsubscribe(clientID string) error {
	i := t.find(clientID)
	if i < 0 {
		return ErrNotSubscribed
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.subs = slices.Delete(t.subs, i, i+1)
	return nil
}

func (t *Topic) Publish(payload []byte) (delivered int) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	for _, s := range t.subs {
		select {
		case s.Out <- payload:
			delivered++
		default:
		}
	}
	return delivered
}
