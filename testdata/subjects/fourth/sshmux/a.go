package sshmux

import (
	"io"
	"sync"
	"sync/atomic"
)

type Session struct {
	rw     io.ReadWriteCloser
	closed atomic.Bool
	quit   chan struct{}
	wmu    sync.Mutex
}

func Open(rw io.ReadWriteCloser, onData func([]byte)) *Session {
	s := &Session{rw: rw, quit: make(chan struct{})}
	go s.readLoop(onData)
	return s
}

func (s *Session) readLoop(onData func([]byte)) {
	defer s.Close()
	for {
		buf := make([]byte, 4096)
		n, err := s.rw.Read(buf)
		if n > 0 {
			onData(buf[:n])
		}
		if err != nil {
			return
		}
	}
}

func (s *Session) Close() error {
	if s.closed.Swap(true) {
		return nil
	}
	close(s.quit)
	return s.rw.Close()
}

func (s *Session) Write(p []byte) (int, error) {
	if s.closed.Load() {
		return 0, io.ErrClosedPipe
	}
	s.wmu.Lock()
	defer s.wmu.Unlock()
	return s.rw.Write(p)
}

func (s *Session) Done() <-chan struct{} { return s.quit }
