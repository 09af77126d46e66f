package logship

import (
	"errors"
	"io"
	"sync/atomic"
)

var ErrOverflow = errors.New("logship: queue full, line dropped")

type Line struct {
	Source string
	Body   []byte
}

type Shipper struct {
	queue   chan Line
	sink    io.Writer
	dropped atomic.Uint64
}

func NewShipper(sink io.Writer, depth int) *Shipper {
	s := &Shipper{queue: make(chan Line, depth), sink: sink}
	go s.drain()
	return s
}

func (s *Shipper) drain() {
	for ln := range s.queue {
		if _, err := s.sink.Write(append(ln.Body, '\n')); err != nil {
			s.dropped.Add(1)
		}
	}
}

// Enqueue never blocks; it is called from request handlers.
func (s *Shipper) Enqueue(src string, body []byte) error {
	if len(s.queue) == cap(s.queue) {
		s.dropped.Add(1)
		return ErrOverflow
	}
	s.queue <- Line{Source: src, Body: body}
	return nil
}

func (s *Shipper) Dropped() uint64 { return s.dropped.Load() }
