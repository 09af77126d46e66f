package h2transport

import (
	"io"
	"net"
	"sync"
)

type clientConn struct {
	addr string
	nc   net.Conn
}

type Transport struct {
	mu    sync.Mutex
	conns map[string]*clientConn
	dead  map[string]int
}

func NewTransport() *Transport {
	return &Transport{conns: map[string]*clientConn{}, dead: map[string]int{}}
}

func (t *Transport) Reconnect(addr string) error {
	nc, err := net.Dial("tcp", addr)
	if err != nil {
		return err
	}
	cc := &clientConn{addr: addr, nc: nc}
	t.mu.Lock()
	t.conns[addr] = cc
	t.mu.Unlock()
	go t.readLoop(cc)
	return nil
}

func (t *Transport) readLoop(cc *clientConn) {
	_, err := io.Copy(io.Discard, cc.nc)
	cc.nc.Close()
	t.mu.Lock()
	current := t.conns[cc.addr] == cc
	t.mu.Unlock()
	if !current {
		return
	}
	if err != nil {
		t.markDead(cc.addr)
	}
	t.mu.Lock()
	delete(t.conns, cc.addr)
	t.mu.Unlock()
}

func (t *Transport) markDead(addr string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.dead[addr]++
}

func (t *Transport) RoundTrip(addr string, frame []byte) error {
	t.mu.Lock()
	cc, ok := t.conns[addr]
	t.mu.Unlock()
	if !ok {
		return net.ErrClosed
	}
	_, err := cc.nc.Write(frame)
	return err
}
