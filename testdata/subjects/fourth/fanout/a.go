package fanout

import (
	"errors"
	"sync"
)

var (
	ErrClosed = errors.New("fanout: stream closed")
	ErrSlow   = errors.New("fanout: reader too slow")
)

type Stream struct {
	mu     sync.Mutex
	closed bool
	ch     chan []byte
}

func NewStream(depth int) *Stream { return &Stream{ch: make(chan []byte, depth)} }

func (s *Stream) Send(b []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return ErrClosed
	}
	select {
	case s.ch <- b:
		return nil
	default:
		return ErrSlow
	}
}

func (s *Stream) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.closed = true
		close(s.ch)
	}
}

type Hub struct {
	mu      sync.Mutex
	streams []*Stream
}

func (h *Hub) Open() *Stream {
	s := NewStream(32)
	h.mu.Lock()
	h.streams = append(h.streams, s)
	h.mu.Unlock()
	return s
}

func (h *Hub) Broadcast(b []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	live := h.streams[:0]
	for _, s := range h.streams {
		if err := s.Send(b); err != nil {
			s.Close()
			continue
		}
		live = append(live, s)
	}
	h.streams = live
}
