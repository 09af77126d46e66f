package eventsink

import (
	"encoding/json"
	"errors"
	"io"
	"sync"
)

var ErrClosed = errors.New("eventsink: closed")

type Event struct {
	Kind string         `json:"kind"`
	Attr map[string]any `json:"attr,omitempty"`
}

type Sink struct {
	ch   chan Event
	idle sync.WaitGroup

	lock   sync.Mutex
	closed bool
}

func NewSink(w io.Writer, size int) *Sink {
	s := &Sink{ch: make(chan Event, size)}
	s.idle.Add(1)
	go func() {
		defer s.idle.Done()
		enc := json.NewEncoder(w)
		for ev := range s.ch {
			if err := enc.Encode(ev); err != nil {
				continue
			}
		}
	}()
	return s
}

func (s *Sink) Emit(kind string, attr map[string]any) error {
	s.lock.Lock()
	if s.closed {
		s.lock.Unlock()
		return ErrClosed
	}
	s.lock.Unlock()
	s.ch <- Event{Kind: kind, Attr: attr}
	return nil
}

func (s *Sink) Close() error {
	s.lock.Lock()
	if s.closed {
		s.lock.Unlock()
		return ErrClosed
	}
	s.closed = true
	close(s.ch)
	s.lock.Unlock()
	s.idle.Wait()
	return nil
}
