package fine

import "sync"

// A CountingGate counts and looks in one.
type CountingGate struct {
	mu     sync.Mutex
	inside int
	empty  chan struct{}
}

func (t *CountingGate) leave() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.inside--
	return t.inside
}

func (t *CountingGate) Leave() {
	if t.leave() == 0 {
		close(t.empty)
	}
}

// Halls look again before they take one away.
type Halls struct {
	mu  sync.Mutex
	all map[string]*hall
}

type hall struct {
	mu     sync.Mutex
	guests map[string]bool
}

func (h *Halls) Enter(name, who string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	x := h.all[name]
	if x == nil {
		x = &hall{guests: map[string]bool{}}
		h.all[name] = x
	}
	x.mu.Lock()
	x.guests[who] = true
	x.mu.Unlock()
}

func (h *Halls) Leave(name, who string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	x := h.all[name]
	if x == nil {
		return
	}
	x.mu.Lock()
	delete(x.guests, who)
	empty := len(x.guests) == 0
	x.mu.Unlock()
	if empty {
		delete(h.all, name)
	}
}
