package quicstreams

import (
	"fmt"
	"sync"
)

type StreamID uint64

type Stream struct {
	id     StreamID
	frames chan []byte
}

func (s *Stream) Recv() ([]byte, bool) {
	b, ok := <-s.frames
	return b, ok
}

type Session struct {
	mtx     sync.RWMutex
	streams map[StreamID]*Stream
	next    StreamID
	window  int
}

func NewSession(window int) *Session {
	return &Session{streams: make(map[StreamID]*Stream), window: window}
}

func (s *Session) OpenStream() *Stream {
	s.mtx.Lock()
	defer s.mtx.Unlock()
	st := &Stream{id: s.next, frames: make(chan []byte, s.window)}
	s.next += 4
	s.streams[st.id] = st
	return st
}

func (s *Session) lookup(id StreamID) (*Stream, bool) {
	s.mtx.RLock()
	defer s.mtx.RUnlock()
	st, ok := s.streams[id]
	return st, ok
}

func (s *Session) Deliver(id StreamID, frame []byte) error {
	st, ok := s.lookup(id)
	if !ok {
		return fmt.Errorf("quicstreams: unknown stream %d", id)
	}
	st.frames <- frame
	return nil
}

func (s *Session) CloseStream(id StreamID) {
	s.mtx.Lock()
	defer s.mtx.Unlock()
	if st, ok := s.streams[id]; ok {
		delete(s.streams, id)
		close(st.frames)
	}
}
