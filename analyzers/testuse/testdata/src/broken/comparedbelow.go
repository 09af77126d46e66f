package broken

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

func (l *Towline) current() io.WriteCloser {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.wire
}

func (l *Towline) generation() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.gen
}

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

// Send asks for the generation of another moment.
func (l *Towline) Send(p []byte) error {
	w := l.current() // want `two goroutines can both pass the test of l.wire \(in l.current\) and both set it: l.mu is released in between`
	if w != nil {
		_, err := w.Write(p)
		return err
	}
	return l.replace(l.generation())
}
