package broken

import (
	"io"
	"sync"
)

// Feeder takes what comes after its end for what comes before, and asks only where nobody takes it.
type Feeder struct {
	mu   sync.RWMutex
	in   chan int
	over chan struct{}
	once sync.Once
}

func (f *Feeder) end() {
	f.once.Do(func() {
		close(f.over)
		f.mu.Lock()
		close(f.in)
		f.mu.Unlock()
	})
}

func (f *Feeder) Close() error {
	f.end()
	return nil
}

func (f *Feeder) ended() bool {
	select {
	case <-f.over:
		return true
	default:
		return false
	}
}

func (f *Feeder) Feed(x int) error {
	f.mu.RLock()
	defer f.mu.RUnlock()
again:
	select {
	case f.in <- x: // want `f.in is closed by \(\*Feeder\).end, and nothing is asked before this send under the lock that both hold: it panics when it comes second`
		return nil
	default:
		if f.ended() {
			return io.ErrClosedPipe
		}
		goto again
	}
}

// Graincart has a flag that who puts something in does not look at.
type Graincart struct {
	mu     sync.Mutex
	in     chan int
	closed bool
}

func (h *Graincart) Close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.closed {
		h.closed = true
		close(h.in)
	}
}

func (h *Graincart) Put(x int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.in <- x // want `h.in is closed by \(\*Graincart\).Close, and nothing is asked before this send`
}
