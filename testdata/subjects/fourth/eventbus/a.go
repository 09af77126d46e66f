package eventbus

import (
	"errors"
	"sync"
)

var ErrClosed = errors.New("eventbus: closed")

type Event struct {
	Kind string
	Data any
}

type Bus struct {
	mu     sync.Mutex
	closed bool
	queue  chan Event
	wg     sync.WaitGroup
}

func New(depth int, handle func(Event)) *Bus {
	b := &Bus{queue: make(chan Event, depth)}
	b.wg.Add(1)
	go func() {
		defer b.wg.Done()
		for ev := range b.queue {
			handle(ev)
		}
	}()
	return b
}

func (b *Bus) Emit(ev Event) error {
	b.mu.Lock()
	if b.closed {
		b.mu.Unlock()
		return ErrClosed
	}
	b.mu.Unlock()
	b.queue <- ev
	return nil
}

func (b *Bus) Close() error {
	b.mu.Lock()
	if b.closed {
		b.mu.Unlock()
		return ErrClosed
	}
	b.closed = true
	close(b.queue)
	b.mu.Unlock()
	b.wg.Wait()
	return nil
}
