package logshipper

import (
	"errors"
	"io"
	"sync"
)

var ErrClosed = errors.New("logshipper: closed")

type Shipper struct {
	lines chan string
	w     io.WriteCloser
	done  chan struct{}

	mu     sync.Mutex
	closed bool
}

func New(w io.WriteCloser, depth int) *Shipper {
	s := &Shipper{lines: make(chan string, depth), w: w, done: make(chan struct{})}
	go s.pump()
	return s
}

func (s *Shipper) pump() {
	defer close(s.done)
	for l := range s.lines {
		if _, err := io.WriteString(s.w, l+"\n"); err != nil {
			for range s.lines {
			}
			return
		}
	}
}

func (s *Shipper) isClosed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closed
}

func (s *Shipper) Log(line string) error {
	if s.isClosed() {
		return ErrClosed
	}
	s.lines <- line
	return nil
}

func (s *Shipper) Close() error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return ErrClosed
	}
	s.closed = true
	close(s.lines)
	s.mu.Unlock()
	<-s.done
	return s.w.Close()
}
