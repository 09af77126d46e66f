package streamlinks

import (
	"io"
	"sync"
)

type Stream struct {
	ID string
	w  io.WriteCloser
}

type Hub struct {
	streams sync.Map
	onGone  func(id string)
}

func NewHub(onGone func(string)) *Hub { return &Hub{onGone: onGone} }

func (h *Hub) Put(id string, w io.WriteCloser) *Stream {
	s := &Stream{ID: id, w: w}
	if old, ok := h.streams.Swap(id, s); ok {
		_ = old.(*Stream).w.Close()
	}
	return s
}

func (h *Hub) Drop(s *Stream) {
	cur, ok := h.streams.Load(s.ID)
	if !ok || cur != any(s) {
		return
	}
	if h.streams.CompareAndDelete(s.ID, s) {
		_ = s.w.Close()
		h.onGone(s.ID)
	}
}

func (h *Hub) Write(id string, p []byte) (int, error) {
	v, ok := h.streams.Load(id)
	if !ok {
		return 0, io.ErrClosedPipe
	}
	s := v.(*Stream)
	n, err := s.w.Write(p)
	if err != nil {
		h.Drop(s)
	}
	return n, err
}
