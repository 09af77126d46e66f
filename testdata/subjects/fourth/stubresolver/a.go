package stubresolver

import (
	"net"
	"sync"
	"time"
)

type Stub struct {
	mu    sync.RWMutex
	conns map[string]net.Conn
}

func NewStub() *Stub { return &Stub{conns: make(map[string]net.Conn)} }

func (s *Stub) conn(server string) (net.Conn, error) {
	s.mu.RLock()
	c, ok := s.conns[server]
	s.mu.RUnlock()
	if ok {
		return c, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if c, ok := s.conns[server]; ok {
		return c, nil
	}
	c, err := net.DialTimeout("udp", server, 2*time.Second)
	if err != nil {
		return nil, err
	}
	s.conns[server] = c
	return c, nil
}

func (s *Stub) Ask(server string, msg []byte) (int, error) {
	c, err := s.conn(server)
	if err != nil {
		return 0, err
	}
	return c.Write(msg)
}

func (s *Stub) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for k, c := range s.conns {
		if err := c.Close(); err != nil {
			return err
		}
		delete(s.conns, k)
	}
	return nil
}
