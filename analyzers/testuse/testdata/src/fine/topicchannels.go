package fine

import "sync"

// TopicsHeld holds its lock while it sends.
type TopicsHeld struct {
	mu       sync.RWMutex
	channels map[string][]chan string
}

func (t *TopicsHeld) Tell(topic, msg string) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	for _, c := range t.channels[topic] {
		c <- msg
	}
}

func (t *TopicsHeld) Shut() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for topic, list := range t.channels {
		for _, c := range list {
			close(c)
		}
		delete(t.channels, topic)
	}
}

// WireCounted waits for those that send before a tap closes its channel.
type WireCounted struct {
	mu   sync.Mutex
	taps map[int]*WireTapCounted
}

// WireTapCounted is one who listens; done says when it does so no more.
type WireTapCounted struct {
	C    chan int
	done chan struct{}
	id   int
	wire *WireCounted
}

func (w *WireCounted) Carry(v int) {
	for _, t := range w.all() {
		select {
		case t.C <- v:
		case <-t.done:
		}
	}
}

func (w *WireCounted) all() []*WireTapCounted {
	w.mu.Lock()
	defer w.mu.Unlock()
	list := make([]*WireTapCounted, 0, len(w.taps))
	for _, t := range w.taps {
		list = append(list, t)
	}
	return list
}

// End leaves the channel that is sent on alone.
func (t *WireTapCounted) End() {
	t.wire.mu.Lock()
	delete(t.wire.taps, t.id)
	t.wire.mu.Unlock()
	close(t.done)
}
