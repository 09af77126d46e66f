package broken

import (
	"maps"
	"slices"
	"sync"
)

// A Tower sends news to whoever listens.
type Tower struct {
	mu        sync.RWMutex
	listeners map[int]chan string
	stations  map[int]*station
}

type station struct{ in chan string }

func (t *Tower) Tell(news string) {
	t.mu.RLock()
	list := make([]chan string, 0, len(t.listeners))
	for _, in := range t.listeners { // want `in can be closed by another goroutine once t.mu is released, and the send then panics`
		list = append(list, in)
	}
	t.mu.RUnlock()
	for _, in := range list {
		select {
		case in <- news:
		default:
		}
	}
}

func (t *Tower) Leave(id int) {
	t.mu.Lock()
	in := t.listeners[id]
	delete(t.listeners, id)
	t.mu.Unlock()
	if in != nil {
		close(in)
	}
}

func (t *Tower) Relay(news string) {
	t.mu.RLock()
	list := slices.Collect(maps.Values(t.stations)) // want `s.in can be closed once t.mu is released, and the send then panics: \(\*Tower\).Drop takes the object out of Tower.stations\[\] and closes its channel`
	t.mu.RUnlock()
	for _, s := range list {
		s.in <- news
	}
}

func (t *Tower) Drop(id int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if s := t.stations[id]; s != nil {
		delete(t.stations, id)
		close(s.in)
	}
}
