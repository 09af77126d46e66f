package broken

import "sync"

// A Belfry has a set of channels of those who listen.
type Belfry[T any] struct {
	mu   sync.RWMutex
	ears map[chan T]struct{}
}

func (b *Belfry[T]) Hear() chan T {
	in := make(chan T, 4)
	b.mu.Lock()
	b.ears[in] = struct{}{}
	b.mu.Unlock()
	return in
}

func (b *Belfry[T]) Ring(news T) {
	b.mu.RLock()
	list := make([]chan T, 0, len(b.ears))
	for in := range b.ears { // want `in can be closed by another goroutine once b.mu is released, and the send then panics`
		list = append(list, in)
	}
	b.mu.RUnlock()
	for _, in := range list {
		select {
		case in <- news:
		default:
		}
	}
}

func (b *Belfry[T]) Silence() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for in := range b.ears {
		delete(b.ears, in)
		close(in)
	}
}
