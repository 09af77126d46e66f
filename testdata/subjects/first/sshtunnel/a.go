package sshtunnel

import (
	"io"
	"net"
	"sync"
)

type Tunnel struct {
	local, remote net.Conn
	closeOnce     sync.Once
	done          chan struct{}
	mu            sync.Mutex
	err           error
}

func New(local, remote net.Conn) *Tunnel {
	t := &Tunnel{local: local, remote: remote, done: make(chan struct{})}
	go t.pipe(local, remote)
	go t.pipe(remote, local)
	return t
}

func (t *Tunnel) pipe(dst io.Writer, src io.Reader) {
	_, err := io.Copy(dst, src)
	t.shutdown(err)
}

func (t *Tunnel) shutdown(err error) {
	select {
	case <-t.done:
		return
	default:
	}
	t.closeOnce.Do(func() {
		t.mu.Lock()
		t.err = err
		t.mu.Unlock()
		t.local.Close()
		t.remote.Close()
		close(t.done)
	})
}

func (t *Tunnel) Close() error {
	t.shutdown(nil)
	return t.Err()
}

func (t *Tunnel) Err() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.err
}

func (t *Tunnel) Done() <-chan struct{} { return t.done }
