// Package cbrole has two goroutines which run one method, each with its own channel.
package cbrole

import (
	"errors"
	"io"
	"sync"
)

var errNotFirst = errors.New("cbrole: not the first")

type latch struct {
	mu  sync.Mutex
	set bool
}

// fire fails for all but the first one.
func (l *latch) fire() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.set {
		return errNotFirst
	}
	l.set = true
	return nil
}

// Duplex copies both ways.
type Duplex struct {
	a, b  io.ReadWriter
	latch latch
	done  chan struct{}
}

// Start starts it.
func Start(a, b io.ReadWriter) *Duplex {
	d := &Duplex{a: a, b: b, done: make(chan struct{})}
	go d.copy(a, b)
	go d.copy(b, a)
	return d
}

func (d *Duplex) copy(dst io.Writer, src io.Reader) {
	io.Copy(dst, src)
	if err := d.latch.fire(); errors.Is(err, errNotFirst) {
		return
	}
	close(d.done)
}

// Wait waits for the first half to end.
func (d *Duplex) Wait() { <-d.done }
