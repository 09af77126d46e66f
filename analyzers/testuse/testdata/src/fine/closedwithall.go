package fine

import "sync"

// Newsroom tells all who listen.
type Newsroom struct {
	mu      sync.Mutex
	desks   map[chan string]struct{}
	cables  map[chan int]struct{}
	private map[chan bool]struct{}
	wires   map[int]*NewsWire
	phones  map[int]*NewsPhone
	n       int
	over    bool
}

// NewsWire is one who listens.
type NewsWire struct {
	room  *Newsroom
	id    int
	once  sync.Once
	lines chan string
}

// NewsPhone is another one.
type NewsPhone struct {
	room *Newsroom
	id   int
	cut  bool
	ring chan string
}

// It looks whether it is there.
func (r *Newsroom) Leave(c chan string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, ok := r.desks[c]; !ok {
		return
	}
	delete(r.desks, c)
	close(c)
}

// It asks whether all is over, as the other one says.
func (r *Newsroom) LeaveCable(c chan int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.over {
		return
	}
	delete(r.cables, c)
	close(c)
}

// It is closed by nobody else.
func (r *Newsroom) LeavePrivate(c chan bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.private, c)
	close(c)
}

// Whichever is first closes it.
func (r *Newsroom) CutWire(w *NewsWire) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.wires, w.id)
	w.once.Do(func() { close(w.lines) })
}

func (r *Newsroom) hangUp(p *NewsPhone) {
	delete(r.phones, p.id)
	close(p.ring)
}

// Close asks whether the other one has.
func (p *NewsPhone) Close() {
	p.room.mu.Lock()
	defer p.room.mu.Unlock()
	if p.cut {
		return
	}
	p.cut = true
	p.room.hangUp(p)
}

func (r *Newsroom) Shutdown() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.over = true
	for c := range r.desks {
		close(c)
	}
	for c := range r.cables {
		close(c)
	}
	for _, w := range r.wires {
		w.once.Do(func() { close(w.lines) })
	}
	for _, p := range r.phones {
		p.cut = true
		close(p.ring)
	}
	r.desks, r.wires, r.cables, r.phones = nil, nil, nil, nil
}
