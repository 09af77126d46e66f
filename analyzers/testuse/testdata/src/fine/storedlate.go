package fine

import (
	"errors"
	"io"
	"sync"
	"sync/atomic"
)

var errOver = errors.New("over")

// A Tap is opened until it is closed, and each way to open it looks again.
type Tap struct {
	closed atomic.Bool
	mu     sync.Mutex
	source io.ReadCloser
	over   bool
	done   chan struct{}
	once   sync.Once
	group  sync.WaitGroup
	sink   io.WriteCloser
	drops  io.Closer
}

func (t *Tap) Again(open func() (io.ReadCloser, error)) error {
	if t.closed.Load() {
		return errOver
	}
	source, err := open()
	if err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed.Load() {
		source.Close()
		return errOver
	}
	t.source = source
	return nil
}

func (t *Tap) Held(open func() io.ReadCloser) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed.Load() {
		return errOver
	}
	t.source = open()
	return nil
}

// Own closes what it has opened itself.
func (t *Tap) Own(open func() io.ReadCloser) error {
	if t.closed.Load() {
		return errOver
	}
	source := open()
	defer source.Close()
	t.mu.Lock()
	t.source = source
	t.mu.Unlock()
	_, err := io.Copy(io.Discard, source)
	return err
}

func (t *Tap) Close() error {
	t.closed.Store(true)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.source == nil {
		return nil
	}
	return t.source.Close()
}

// Drain runs in the one goroutine that Shutdown waits for.
func (t *Tap) Drain(connect func() io.WriteCloser) {
	t.group.Add(1)
	go func() {
		defer t.group.Done()
		for {
			select {
			case <-t.done:
				return
			default:
			}
			sink := connect()
			t.mu.Lock()
			t.sink = sink
			t.mu.Unlock()
		}
	}()
}

func (t *Tap) Shutdown() {
	t.once.Do(func() { close(t.done) })
	t.group.Wait()
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.sink != nil {
		t.sink.Close()
	}
}

// Drip is told the end by the one it stores, which looks itself.
func (t *Tap) Drip(c io.Closer) {
	t.mu.Lock()
	over := t.over
	t.mu.Unlock()
	if !over {
		t.mu.Lock()
		t.drops = c
		t.mu.Unlock()
	}
	t.mu.Lock()
	if t.over {
		c.Close()
	}
	t.mu.Unlock()
}

func (t *Tap) Stop() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.over = true
	if t.drops != nil {
		t.drops.Close()
	}
}
