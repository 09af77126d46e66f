package broken

import "sync"

// Newsroom tells all who listen.
type Newsroom struct {
	mu     sync.Mutex
	desks  map[chan string]struct{}
	topics map[string]map[chan string]bool
	wires  map[int]*NewsWire
	n      int
}

// NewsWire is one who listens.
type NewsWire struct {
	room   *Newsroom
	id     int
	closed bool
	lines  chan string
}

func (r *Newsroom) Desk() chan string {
	c := make(chan string, 1)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.desks[c] = struct{}{}
	return c
}

func (r *Newsroom) Leave(c chan string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.desks, c)
	close(c) // want `c is closed here whether or not it is still in r.desks, and \(\*Newsroom\).Shutdown closes those of all that are there, under r.mu before: the second close panics`
}

func (r *Newsroom) LeaveTopic(topic string, c chan string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.topics[topic], c)
	close(c) // want `c is closed here whether or not it is still in r.topics`
}

func (r *Newsroom) NewsWire() *NewsWire {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.n++
	w := &NewsWire{room: r, id: r.n, lines: make(chan string, 1)}
	r.wires[w.id] = w
	return w
}

func (r *Newsroom) cut(w *NewsWire) {
	r.mu.Lock()
	defer r.mu.Unlock()
	close(w.lines) // want `w.lines is closed here whether or not it is still in r.wires, and \(\*Newsroom\).Shutdown closes`
	delete(r.wires, w.id)
}

// Close cuts the wire. One goroutine has it.
func (w *NewsWire) Close() {
	w.room.cut(w)
}

func (r *Newsroom) Shutdown() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for c := range r.desks {
		close(c)
	}
	for _, w := range r.wires {
		close(w.lines)
	}
	for _, listeners := range r.topics {
		for c := range listeners {
			close(c)
		}
	}
	r.desks, r.wires, r.topics = nil, nil, nil
}
