package broken

import (
	"io"
	"os"
	"sync"
)

// A Penstock writes in the background what it is given.
type Penstock struct {
	out   io.Writer
	lines chan []byte
	done  chan struct{}
}

func NewPenstock(out io.Writer) *Penstock {
	s := &Penstock{out: out, lines: make(chan []byte, 64), done: make(chan struct{})}
	go s.run()
	return s
}

func (s *Penstock) run() {
	for {
		select {
		case l := <-s.lines:
			if _, err := s.out.Write(l); err != nil {
				return
			}
		case <-s.done:
			return
		}
	}
}

func (s *Penstock) Write(p []byte) (int, error) {
	select {
	case s.lines <- p: // want `p is handed to another goroutine as it is, not a copy, and Write returns: its caller may fill the array again at once, while that one still reads it`
	default:
		return 0, os.ErrDeadlineExceeded
	}
	return len(p), nil
}

// A Tundish has a frame at a time for the goroutine that writes.
type Tundish struct {
	mu    sync.Mutex
	cond  *sync.Cond
	frame []byte
	out   io.Writer
}

func NewTundish(out io.Writer) *Tundish {
	h := &Tundish{out: out}
	h.cond = sync.NewCond(&h.mu)
	go h.loop()
	return h
}

func (h *Tundish) loop() {
	for {
		h.mu.Lock()
		for h.frame == nil {
			h.cond.Wait()
		}
		next := h.frame
		h.frame = nil
		h.mu.Unlock()
		h.cond.Broadcast()
		if _, err := h.out.Write(next); err != nil {
			return
		}
	}
}

func (h *Tundish) put(frame []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for h.frame != nil {
		h.cond.Wait()
	}
	h.frame = frame
	h.cond.Broadcast()
}

func (h *Tundish) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0; {
		n := min(len(rest), 1024)
		h.put(rest[:n]) // want `frame is kept as it is for \(\*Tundish\).loop, not a copy, and Write returns`
		rest = rest[n:]
	}
	return len(p), nil
}
