package brokerlink

import (
	"fmt"
	"net"
	"sync"
	"time"
)

type Link struct {
	addr    string
	timeout time.Duration

	mu   sync.Mutex
	conn net.Conn
}

func Open(addr string, timeout time.Duration) *Link {
	return &Link{addr: addr, timeout: timeout}
}

func (l *Link) connect() error {
	if l.conn != nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	c, err := net.DialTimeout("tcp", l.addr, l.timeout)
	if err != nil {
		return fmt.Errorf("broker %s: %w", l.addr, err)
	}
	l.conn = c
	return nil
}

func (l *Link) Send(frame []byte) error {
	if err := l.connect(); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.conn == nil {
		return net.ErrClosed
	}
	if _, err := l.conn.Write(frame); err != nil {
		l.conn.Close()
		l.conn = nil
		return err
	}
	return nil
}

func (l *Link) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.conn == nil {
		return nil
	}
	err := l.conn.Close()
	l.conn = nil
	return err
}
