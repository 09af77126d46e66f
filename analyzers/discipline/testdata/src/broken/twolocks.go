package broken

import "sync"

// Wire has a lock for what it reads and one for what it writes.
type Wire struct {
	done chan struct{}

	mu    sync.Mutex
	dead  bool
	lines []string
	state int
	calls int

	wmu sync.Mutex
	seq int
}

func NewWire() *Wire {
	w := &Wire{done: make(chan struct{})}
	go w.read()
	return w
}

func (w *Wire) read() { w.fail() }

func (w *Wire) fail() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.dead { // want `w.dead is tested and set here under w.mu, and under w.wmu in \(\*Wire\).Close: neither keeps the other out, and both can pass the test`
		return
	}
	w.dead = true
	close(w.done)
}

func (w *Wire) Close() {
	w.wmu.Lock()
	defer w.wmu.Unlock()
	w.seq++
	if !w.dead {
		w.dead = true
		close(w.done)
	}
}

// Advance and Retreat move one state under two locks.
func (w *Wire) Advance() bool {
	w.mu.Lock()
	switch w.state { // want `w.state is tested and set here under w.mu, and under w.wmu in \(\*Wire\).Retreat`
	case 0, 1:
		w.state++
		w.mu.Unlock()
		return true
	}
	w.mu.Unlock()
	return false
}

func (w *Wire) Retreat() {
	w.wmu.Lock()
	if w.state > 0 {
		w.state = 0
	}
	w.wmu.Unlock()
}

// Limit and Raise: the second one holds both locks.
func (w *Wire) Limit() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.calls > 10 {
		w.calls = 10
	}
}

func (w *Wire) Raise() {
	w.wmu.Lock()
	defer w.wmu.Unlock()
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.calls < 5 {
		w.calls = 5
	}
}
