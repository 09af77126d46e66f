package wsconn

import (
	"encoding/binary"
	"io"
	"sync"
)

type Session struct {
	id string

	lk        sync.Mutex
	transport io.WriteCloser
	sent      int
}

func Open(id string, t io.WriteCloser) *Session {
	return &Session{id: id, transport: t}
}

func (s *Session) WriteFrame(payload []byte) error {
	hdr := make([]byte, 4, 4+len(payload))
	binary.BigEndian.PutUint32(hdr, uint32(len(payload)))

	s.lk.Lock()
	if s.transport == nil {
		s.lk.Unlock()
		return io.ErrClosedPipe
	}
	s.sent++
	s.lk.Unlock()

	_, err := s.transport.Write(append(hdr, payload...))
	return err
}

func (s *Session) Sent() int {
	s.lk.Lock()
	defer s.lk.Unlock()
	return s.sent
}

func (s *Session) Close() error {
	s.lk.Lock()
	t := s.transport
	s.transport = nil
	s.lk.Unlock()
	if t == nil {
		return nil
	}
	return t.Close()
}
