package fine

import (
	"bytes"
	"sync"
)

// A Penstock writes in the background a copy of what it is given.
type Penstock struct {
	out   func([]byte) error
	lines chan []byte
}

func NewPenstock(out func([]byte) error) *Penstock {
	s := &Penstock{out: out, lines: make(chan []byte, 64)}
	go s.run()
	return s
}

func (s *Penstock) run() {
	for l := range s.lines {
		if err := s.out(l); err != nil {
			return
		}
	}
}

func (s *Penstock) Write(p []byte) (int, error) {
	n := len(p)
	p = bytes.Clone(p)
	s.lines <- p
	return n, nil
}

// A Hose waits until what it is given has been read.
type Hose struct {
	parts chan []byte
	read  chan int
}

func (h *Hose) Write(p []byte) (n int, err error) {
	for len(p) > n {
		h.parts <- p[n:]
		n += <-h.read
	}
	return n, nil
}

func (h *Hose) Read(p []byte) (int, error) {
	part := <-h.parts
	n := copy(p, part)
	h.read <- n
	return n, nil
}

// A Tundish waits until its goroutine has written the frame.
type Tundish struct {
	mu    sync.Mutex
	cond  *sync.Cond
	frame []byte
	out   func([]byte) error
}

func NewTundish(out func([]byte) error) *Tundish {
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
		err := h.out(h.frame)
		h.frame = nil
		h.mu.Unlock()
		h.cond.Broadcast()
		if err != nil {
			return
		}
	}
}

func (h *Tundish) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.frame = p
	h.cond.Broadcast()
	for h.frame != nil {
		h.cond.Wait()
	}
	return len(p), nil
}
