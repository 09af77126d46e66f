// Package replysink hands the parts of a streamed RPC reply to its caller.
package replysink

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"sync"
)

var ErrFinished = errors.New("replysink: stream finished")

type Part struct {
	Seq  uint32
	Body []byte
}

type Stream struct {
	id    uint64
	parts chan Part

	sm       sync.Mutex
	finished bool
	cause    error
	lastSeq  uint32
}

func newStream(id uint64, depth int) *Stream {
	return &Stream{id: id, parts: make(chan Part, depth)}
}

// Deliver passes one part on, waiting while the caller is slow.
func (s *Stream) Deliver(ctx context.Context, p Part) error {
	s.sm.Lock()
	if s.finished {
		s.sm.Unlock()
		return ErrFinished
	}
	if p.Seq <= s.lastSeq {
		s.sm.Unlock()
		return fmt.Errorf("replysink: stream %d: part %d after %d", s.id, p.Seq, s.lastSeq)
	}
	s.lastSeq = p.Seq
	s.sm.Unlock()

	select {
	case s.parts <- p:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Finish ends the stream; a nil cause means a regular end.
func (s *Stream) Finish(cause error) {
	s.sm.Lock()
	defer s.sm.Unlock()
	if s.finished {
		return
	}
	s.finished, s.cause = true, cause
	close(s.parts)
}

// Next returns the next part, or io.EOF at a regular end.
func (s *Stream) Next(ctx context.Context) (Part, error) {
	select {
	case p, ok := <-s.parts:
		if ok {
			return p, nil
		}
	case <-ctx.Done():
		return Part{}, ctx.Err()
	}
	s.sm.Lock()
	defer s.sm.Unlock()
	if s.cause != nil {
		return Part{}, s.cause
	}
	return Part{}, io.EOF
}

// Decoder reads the parts of any stream off a connection.
type Decoder interface {
	ReadPart() (stream uint64, p Part, last bool, err error)
}

type Mux struct {
	dec Decoder

	tab     sync.Mutex
	streams map[uint64]*Stream
	next    uint64
	dead    error
}

func NewMux(ctx context.Context, dec Decoder) *Mux {
	m := &Mux{dec: dec, streams: make(map[uint64]*Stream)}
	go m.read(ctx)
	return m
}

func (m *Mux) Open(depth int) *Stream {
	m.tab.Lock()
	defer m.tab.Unlock()
	m.next++
	s := newStream(m.next, depth)
	if m.dead != nil {
		s.Finish(m.dead)
		return s
	}
	m.streams[m.next] = s
	return s
}

func (m *Mux) read(ctx context.Context) {
	for {
		id, p, last, err := m.dec.ReadPart()
		if err != nil {
			log.Printf("replysink: reader stops: %v", err)
			m.tab.Lock()
			defer m.tab.Unlock()
			m.dead = err
			for _, s := range m.streams {
				s.Finish(err)
			}
			return
		}
		m.tab.Lock()
		s := m.streams[id]
		if last {
			delete(m.streams, id)
		}
		m.tab.Unlock()
		if s == nil {
			continue
		}
		if err := s.Deliver(ctx, p); err != nil {
			log.Printf("replysink: stream %d: %v", id, err)
		}
		if last {
			s.Finish(nil)
		}
	}
}
