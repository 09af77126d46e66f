package broken

import "sync"

// A Eavesdropper gives its listeners what comes in.
type Eavesdropper struct {
	in        chan string
	mu        sync.Mutex
	earpieces map[string]*Earpiece
}

// An Earpiece listens until it has had enough.
type Earpiece struct {
	mu      sync.Mutex
	stopped bool
	words   chan string
}

func (w *Eavesdropper) Dial() {
	go func() {
		for word := range w.in {
			w.mu.Lock()
			e := w.earpieces[word]
			w.mu.Unlock()
			if e == nil {
				continue
			}
			if !e.stopped { // want `e.words can be closed between the test of e.stopped and the send on it, which then panics`
				e.words <- word
			}
		}
	}()
}

func (w *Eavesdropper) Listen(to string) *Earpiece {
	e := &Earpiece{words: make(chan string)}
	w.mu.Lock()
	w.earpieces[to] = e
	w.mu.Unlock()
	return e
}

func (e *Earpiece) Leave() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.stopped {
		close(e.words)
	}
	e.stopped = true
}
