// Package cbcount lets the last of two halves close.
package cbcount

import (
	"io"
	"net"
	"sync/atomic"
)

// A Tunnel joins two connections.
type Tunnel struct {
	a, b   net.Conn
	left   atomic.Int32
	failed atomic.Pointer[error]
	ended  chan struct{}
	broken chan struct{}
}

// Join joins them.
func Join(a, b net.Conn) *Tunnel {
	t := &Tunnel{a: a, b: b, ended: make(chan struct{}), broken: make(chan struct{})}
	t.left.Store(2)
	go t.half(a, b)
	go t.half(b, a)
	return t
}

// firstFailure says whether the error is the first one.
func (t *Tunnel) firstFailure(err error) bool { return t.failed.CompareAndSwap(nil, &err) }

func (t *Tunnel) half(dst, src net.Conn) {
	_, err := io.Copy(dst, src)
	if err != nil && t.firstFailure(err) {
		close(t.broken)
	}
	if t.left.Add(-1) > 0 {
		return
	}
	close(t.ended)
}

// Ended is closed when both halves are over, and Broken with the first failure.
func (t *Tunnel) Ended() <-chan struct{} { return t.ended }

// Broken is closed with the first failure.
func (t *Tunnel) Broken() <-chan struct{} { return t.broken }
