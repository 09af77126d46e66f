package fine

import (
	"io"
	"sync"
)

// A Towline is dialled anew when it breaks.
type Towline struct {
	mu   sync.Mutex
	wire io.WriteCloser
	gen  int
	dial func() (io.WriteCloser, error)
}

func (l *Towline) current() (io.WriteCloser, int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.wire, l.gen
}

// replace stores a new wire if the one of the generation is there still.
func (l *Towline) replace(broken int) error {
	fresh, err := l.dial()
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.gen != broken {
		return fresh.Close()
	}
	l.wire = fresh
	l.gen++
	return nil
}

func (l *Towline) Send(p []byte) error {
	w, gen := l.current()
	if w != nil {
		if _, err := w.Write(p); err == nil {
			return nil
		}
	}
	return l.replace(gen)
}

// refresh compares what it has seen itself, and closes what it replaces.
func (l *Towline) refresh() {
	l.mu.Lock()
	gen := l.gen
	l.mu.Unlock()
	fresh, err := l.dial()
	if err != nil {
		return
	}
	l.mu.Lock()
	if l.gen != gen {
		l.mu.Unlock()
		fresh.Close()
		return
	}
	stale := l.wire
	l.wire = fresh
	l.gen++
	l.mu.Unlock()
	if stale != nil {
		stale.Close()
	}
}

func (l *Towline) Probe(p []byte) {
	w, _ := l.current()
	if _, err := w.Write(p); err != nil {
		go l.refresh()
	}
}
