package broken

import "sync"

// TopicChannels keeps the channels of each topic in a slice of their own.
type TopicChannels struct {
	mu       sync.RWMutex
	channels map[string][]chan string
}

// Tell sends on channels that Shut closes once the lock is released.
func (t *TopicChannels) Tell(topic, msg string) {
	t.mu.RLock()
	list := t.channels[topic] // want `c can be closed by another goroutine once t.mu is released, and the send then panics`
	t.mu.RUnlock()
	for _, c := range list {
		c <- msg
	}
}

func (t *TopicChannels) Shut() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for topic, list := range t.channels {
		for _, c := range list {
			close(c)
		}
		delete(t.channels, topic)
	}
}

// TappedWire hands copies of its taps out by a method.
type TappedWire struct {
	mu   sync.Mutex
	taps map[int]*WireTap
}

// WireTap is one who listens.
type WireTap struct {
	C    chan int
	id   int
	wire *TappedWire
}

// Carry sends to taps that take themselves off the wire meanwhile.
func (w *TappedWire) Carry(v int) {
	for _, t := range w.all() { // want `t.C can be closed once w.mu is released, and the send then panics: \(\*WireTap\).End takes the object out of TappedWire.taps\[\] and closes its channel`
		t.C <- v
	}
}

func (w *TappedWire) all() []*WireTap {
	w.mu.Lock()
	defer w.mu.Unlock()
	list := make([]*WireTap, 0, len(w.taps))
	for _, t := range w.taps {
		list = append(list, t)
	}
	return list
}

func (t *WireTap) End() {
	t.wire.mu.Lock()
	delete(t.wire.taps, t.id)
	t.wire.mu.Unlock()
	close(t.C)
}
