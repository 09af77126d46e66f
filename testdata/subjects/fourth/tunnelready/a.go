package tunnelready

import (
	"errors"
	"io"
	"sync"
)

type Tunnel struct {
	mu    sync.Mutex
	cond  *sync.Cond
	conn  io.ReadWriter
	ready bool
	err   error
}

func Dial(conn io.ReadWriter, psk []byte) *Tunnel {
	t := &Tunnel{conn: conn}
	t.cond = sync.NewCond(&t.mu)
	go t.handshake(psk)
	return t
}

func (t *Tunnel) handshake(psk []byte) {
	_, err := t.conn.Write(psk)
	if err == nil {
		var ack [1]byte
		_, err = io.ReadFull(t.conn, ack[:])
		if err == nil && ack[0] != 0x06 {
			err = errors.New("tunnel: handshake refused")
		}
	}
	t.cond.Broadcast()
	t.mu.Lock()
	t.ready = true
	t.err = err
	t.mu.Unlock()
}

func (t *Tunnel) Write(p []byte) (int, error) {
	t.mu.Lock()
	for !t.ready {
		t.cond.Wait()
	}
	err := t.err
	t.mu.Unlock()
	if err != nil {
		return 0, err
	}
	return t.conn.Write(p)
}
