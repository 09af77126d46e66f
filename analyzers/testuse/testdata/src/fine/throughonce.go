package fine

import "sync"

// Hatch is closed through its Once, whoever does it, but where nobody has it yet.
type Hatch struct {
	mu   sync.Mutex
	done chan struct{}
	once sync.Once
}

func (h *Hatch) Close() error {
	h.once.Do(h.shut)
	return nil
}

func (h *Hatch) shut() {
	h.mu.Lock()
	defer h.mu.Unlock()
	close(h.done)
}

// Deck has many.
type Deck struct {
	mu      sync.Mutex
	hatches map[string]*Hatch
}

func (d *Deck) Open(name string) *Hatch {
	h := &Hatch{done: make(chan struct{})}
	if name == "" {
		h.shut()
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.hatches[name] = h
	return h
}

func (d *Deck) Close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, h := range d.hatches {
		h.once.Do(func() { h.shut() })
	}
}
