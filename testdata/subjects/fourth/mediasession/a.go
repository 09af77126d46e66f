package mediasession

import (
	"net"
	"sync"
	"time"
)

type Session struct {
	conn    net.PacketConn
	peer    net.Addr
	readMu  sync.Mutex
	writeMu sync.Mutex
	done    chan struct{}
}

func NewSession(conn net.PacketConn, peer net.Addr) *Session {
	return &Session{conn: conn, peer: peer, done: make(chan struct{})}
}

func (s *Session) ReadPacket(buf []byte) (int, error) {
	s.readMu.Lock()
	defer s.readMu.Unlock()
	n, _, err := s.conn.ReadFrom(buf)
	return n, err
}

func (s *Session) WritePacket(p []byte) error {
	s.writeMu.Lock()
	defer s.writeMu.Unlock()
	_, err := s.conn.WriteTo(p, s.peer)
	return err
}

func (s *Session) Done() <-chan struct{} { return s.done }

func (s *Session) closed() bool {
	select {
	case <-s.done:
		return true
	default:
		return false
	}
}

// Close ends the session after the pending read.
func (s *Session) Close() error {
	_ = s.conn.SetReadDeadline(time.Now())
	s.readMu.Lock()
	defer s.readMu.Unlock()
	if s.closed() {
		return net.ErrClosed
	}
	close(s.done)
	return s.conn.Close()
}

// Abort ends the session from the sending side.
func (s *Session) Abort() error {
	s.writeMu.Lock()
	defer s.writeMu.Unlock()
	if s.closed() {
		return net.ErrClosed
	}
	close(s.done)
	return s.conn.Close()
}
