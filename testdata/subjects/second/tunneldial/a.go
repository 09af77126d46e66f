package tunneldial

import (
	"errors"
	"net"
	"sync"
	"time"
)

type Tunnel struct {
	addr    string
	timeout time.Duration

	mu   sync.Mutex
	conn net.Conn
}

func New(addr string, timeout time.Duration) *Tunnel {
	return &Tunnel{addr: addr, timeout: timeout}
}

func (t *Tunnel) ensure() error {
	if t.conn != nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	c, err := net.DialTimeout("tcp", t.addr, t.timeout)
	if err != nil {
		return err
	}
	t.conn = c
	return nil
}

func (t *Tunnel) Send(p []byte) (int, error) {
	if err := t.ensure(); err != nil {
		return 0, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.conn == nil {
		return 0, errors.New("tunneldial: closed")
	}
	return t.conn.Write(p)
}

func (t *Tunnel) Close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.conn == nil {
		return nil
	}
	err := t.conn.Close()
	t.conn = nil
	return err
}
