package topicfeed

import (
	"context"
	"slices"
	"sync"
)

type Event struct {
	Seq  uint64
	Body string
}

type Topic struct {
	mu     sync.Mutex
	seq    uint64
	retain []Event

	subMu sync.RWMutex
	subs  map[chan Event]context.Context
}

func NewTopic() *Topic { return &Topic{subs: make(map[chan Event]context.Context)} }

func (t *Topic) history() []Event {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.retain)
}

func (t *Topic) Subscribe(ctx context.Context, buf int) ([]Event, <-chan Event) {
	past := t.history()
	ch := make(chan Event, buf)
	t.subMu.Lock()
	t.subs[ch] = ctx
	t.subMu.Unlock()
	go func() {
		<-ctx.Done()
		t.subMu.Lock()
		delete(t.subs, ch)
		t.subMu.Unlock()
	}()
	return past, ch
}

func (t *Topic) Publish(body string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.seq++
	ev := Event{t.seq, body}
	t.retain = append(t.retain, ev)

	t.subMu.RLock()
	defer t.subMu.RUnlock()
	for ch, ctx := range t.subs {
		select {
		case ch <- ev:
		case <-ctx.Done():
		}
	}
}
