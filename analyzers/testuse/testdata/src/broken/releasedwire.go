package broken

import "sync"

type wireline struct{ open bool }

func (w *wireline) Release() error { w.open = false; return nil }

// What is released here is no lock.
type Telegraph struct {
	mu     sync.Mutex
	wire   *wireline
	closed bool
	over   chan struct{}
}

func (t *Telegraph) Close() error {
	t.mu.Lock()
	if t.closed { // want `two goroutines can both pass the test of t.closed and close t.over twice: t.mu is released in between`
		t.mu.Unlock()
		return nil
	}
	t.mu.Unlock()
	t.wire.Release()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	close(t.over)
	return nil
}

func (t *Telegraph) Over() <-chan struct{} { return t.over }
