package fine

import "sync"

// tubing looks once more before it closes the channel.
type tubing struct {
	mu     sync.Mutex
	err    error
	closed bool
	done   chan struct{}
}

func Tubing() *tubing {
	t := &tubing{done: make(chan struct{})}
	go t.End(nil)
	return t
}

func (t *tubing) why() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.err
}

func (t *tubing) End(err error) {
	if t.why() != nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.err = err
	if !t.closed {
		t.closed = true
		close(t.done)
	}
}

func (t *tubing) Fail(err error) {
	if t.why() != nil {
		return
	}
	t.mu.Lock()
	t.err = err
	t.mu.Unlock()
}
