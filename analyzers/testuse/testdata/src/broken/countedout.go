package broken

import "sync"

// A CountingGate closes behind the last one.
type CountingGate struct {
	mu     sync.Mutex
	inside int
	empty  chan struct{}
}

func (t *CountingGate) left() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.inside
}

func (t *CountingGate) Leave() {
	t.mu.Lock()
	t.inside-- // want `two goroutines can both count t.inside, then both find it at its end and close the channel twice: t.mu is released in between`
	t.mu.Unlock()
	if t.left() == 0 {
		close(t.empty)
	}
}

// Halls keep halls as long as somebody is in them.
type Halls struct {
	mu  sync.Mutex
	all map[string]*hall
}

type hall struct {
	mu     sync.Mutex
	guests map[string]bool
}

func (h *Halls) hall(name string) *hall {
	h.mu.Lock()
	defer h.mu.Unlock()
	x := h.all[name]
	if x == nil {
		x = &hall{guests: map[string]bool{}}
		h.all[name] = x
	}
	return x
}

func (h *Halls) Enter(name, who string) {
	x := h.hall(name)
	x.mu.Lock()
	x.guests[who] = true
	x.mu.Unlock()
}

func (h *Halls) Leave(name, who string) {
	x := h.hall(name)
	x.mu.Lock()
	delete(x.guests, who)
	empty := len(x.guests) == 0 // want `\(\*Halls\).Enter can add to x.guests once x.mu is released here and before delete is called because it was empty`
	x.mu.Unlock()
	if empty {
		h.mu.Lock()
		delete(h.all, name)
		h.mu.Unlock()
	}
}
