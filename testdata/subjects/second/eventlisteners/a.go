package eventlisteners

import (
	"log/slog"
	"sync"
)

type Listener interface {
	Handle(topic string, payload []byte) error
}

type Bus struct {
	log *slog.Logger

	mu        sync.Mutex
	listeners map[string][]Listener
}

func NewBus(l *slog.Logger) *Bus {
	return &Bus{log: l, listeners: make(map[string][]Listener)}
}

func (b *Bus) On(topic string, l Listener) {
	b.mu.Lock()
	b.listeners[topic] = append(b.listeners[topic], l)
	b.mu.Unlock()
}

func (b *Bus) Off(topic string, l Listener) {
	b.mu.Lock()
	defer b.mu.Unlock()
	ls := b.listeners[topic]
	for i := range ls {
		if ls[i] == l {
			copy(ls[i:], ls[i+1:])
			ls[len(ls)-1] = nil
			b.listeners[topic] = ls[:len(ls)-1]
			return
		}
	}
}

func (b *Bus) Emit(topic string, payload []byte) {
	b.mu.Lock()
	ls := b.listeners[topic]
	b.mu.Unlock()
	for i := 0; i < len(ls); i++ {
		l := ls[i]
		if l == nil {
			continue
		}
		if err := l.Handle(topic, payload); err != nil {
			b.log.Warn("listener failed", "topic", topic, "err", err)
		}
	}
}
