package ptysession

import (
	"bytes"
	"io"
	"sync"
	"sync/atomic"
)

type Session struct {
	closed atomic.Bool
	mu     sync.Mutex
	buf    *bytes.Buffer
	limit  int
	sink   io.WriteCloser
}

func NewSession(sink io.WriteCloser, limit int) *Session {
	return &Session{sink: sink, limit: limit, buf: bytes.NewBuffer(make([]byte, 0, limit))}
}

func (s *Session) Write(p []byte) (int, error) {
	if s.closed.Load() {
		return 0, io.ErrClosedPipe
	}

	s.mu.Lock()
	defer s.mu.Unlock()
	n, _ := s.buf.Write(p)
	if s.buf.Len() >= s.limit {
		if err := s.flushLocked(); err != nil {
			return n, err
		}
	}
	return n, nil
}

func (s *Session) flushLocked() error {
	_, err := s.buf.WriteTo(s.sink)
	return err
}

func (s *Session) Close() error {
	if !s.closed.CompareAndSwap(false, true) {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	err := s.flushLocked()
	s.buf = nil
	if cerr := s.sink.Close(); err == nil {
		err = cerr
	}
	return err
}
