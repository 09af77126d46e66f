package fine

import (
	"errors"
	"sync"
)

// Berth is copied by Fill, which adds nothing to the one that is copied.
type Berth struct {
	mu    sync.Mutex
	guest []string
	line  string
}

func (b *Berth) Fill(other *Berth) {
	b.mu.Lock()
	defer b.mu.Unlock()
	other.guest = b.guest
	other.line = b.line
}

func (b *Berth) Leave(who string) error {
	b.mu.Lock()
	had := b.guest
	b.mu.Unlock()
	if len(had) == 0 {
		return errors.New("nobody")
	}
	b.mu.Lock()
	b.guest = nil
	b.mu.Unlock()
	return nil
}

func (b *Berth) Enter(who []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.guest = who
}

// Watch keeps whether there was something, and not what.
type Watch struct {
	mu   sync.Mutex
	keys []string
}

func (w *Watch) Add(k string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.keys = append(w.keys, k)
}

func (w *Watch) Run(events chan int) {
	ready := false
	for e := range events {
		switch e {
		case 1:
			w.mu.Lock()
			ready = w.keys != nil
			w.mu.Unlock()
			if ready {
				println("ready")
			}
		case 2:
			w.mu.Lock()
			w.keys = nil
			w.mu.Unlock()
		}
	}
}
