package broken

import "sync"

type subscription struct{ lines chan string }

func (s *subscription) Close() { close(s.lines) }

// EventBus subscribes at the first use.
type EventBus struct {
	openOnce  sync.Once
	closeOnce sync.Once
	feed      *subscription
	out       chan string
}

func (b *EventBus) Sub() <-chan string {
	b.openOnce.Do(func() {
		b.feed = &subscription{make(chan string)}
		go func() {
			for m := range b.feed.lines {
				b.out <- m
			}
			close(b.out)
		}()
	})
	return b.out
}

func (b *EventBus) Close() {
	b.closeOnce.Do(func() {
		if b.feed != nil { // want `b.feed is tested here in closeOnce, while \(\*EventBus\).Sub sets it in openOnce: neither waits for the other`
			b.feed.Close()
		}
	})
}
