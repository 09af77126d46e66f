package topicsubs

import (
	"context"
	"sync"
)

type Handler func(ctx context.Context, topic string, data []byte) error

type Bus struct {
	topics sync.Map // string -> []Handler
	onErr  func(topic string, err error)
}

func NewBus(onErr func(string, error)) *Bus {
	if onErr == nil {
		onErr = func(string, error) {}
	}
	return &Bus{onErr: onErr}
}

func (b *Bus) handlers(topic string) []Handler {
	v, ok := b.topics.Load(topic)
	if !ok {
		return nil
	}
	return v.([]Handler)
}

func (b *Bus) Subscribe(topic string, h Handler) {
	cur := b.handlers(topic)
	next := make([]Handler, len(cur), len(cur)+1)
	copy(next, cur)
	b.topics.Store(topic, append(next, h))
}

func (b *Bus) Publish(ctx context.Context, topic string, data []byte) int {
	var wg sync.WaitGroup
	hs := b.handlers(topic)
	for _, h := range hs {
		wg.Add(1)
		go func(h Handler) {
			defer wg.Done()
			if err := h(ctx, topic, data); err != nil {
				b.onErr(topic, err)
			}
		}(h)
	}
	wg.Wait()
	return len(hs)
}
