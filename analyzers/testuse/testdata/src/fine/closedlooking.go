package fine

import "sync"

// Packets are read by one and written by others.
type Packets struct {
	mu sync.Mutex
	ch chan []byte
}

// The lock is held from the look on.
func (p *Packets) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.ch:
	default:
		close(p.ch)
	}
}

type lonely struct{ done chan struct{} }

func (l *lonely) end() {
	select {
	case <-l.done:
	default:
		close(l.done)
	}
}

// Nobody but this function ends it.
func alone(do func(<-chan struct{})) {
	l := &lonely{done: make(chan struct{})}
	defer l.end()
	do(l.done)
}

// Alone is alone.
func Alone() { alone(func(<-chan struct{}) {}) }
