package broken

import (
	"errors"
	"net"
	"sync"
)

// A listener for what was accepted elsewhere.
type subListener struct {
	accepted chan net.Conn
	closed   chan struct{}
}

func (l *subListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.accepted:
		return c, nil
	case <-l.closed:
		return nil, errors.New("closed")
	}
}

func (l *subListener) Addr() net.Addr { return nil }

// A server closes what it listens to, and so does who has made it.
func (l *subListener) Close() error {
	close(l.closed) // want `l.closed is closed without a look whether it is closed already: a second call panics`
	return nil
}

// Sub returns one.
func Sub() net.Listener {
	return &subListener{accepted: make(chan net.Conn), closed: make(chan struct{})}
}

type onceListener struct {
	*subListener
	once sync.Once
	over chan struct{}
}

func (l *onceListener) Close() error {
	l.once.Do(func() { close(l.over) })
	return nil
}

// Once returns one that can be closed twice.
func Once() net.Listener {
	return &onceListener{subListener: &subListener{}, over: make(chan struct{})}
}

// A batch is no connection: its owner closes it.
type batch struct{ closed chan struct{} }

func (b *batch) Close() error {
	close(b.closed)
	return nil
}

// Batch returns one.
func Batch() interface{ Close() error } { return &batch{make(chan struct{})} }
