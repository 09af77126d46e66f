// Package outerwrap has a raw link that only a guard ever ends.
package outerwrap

import (
	"io"
	"sync"
)

// Link is the raw link. There is no way to get one but inside a Conn.
type Link struct {
	mu   sync.Mutex
	sent int
	stop chan struct{}
	w    io.WriteCloser
}

func newLink(w io.WriteCloser) *Link {
	l := &Link{w: w, stop: make(chan struct{})}
	go l.beat()
	return l
}

func (l *Link) beat() {
	<-l.stop
}

// Send writes one frame.
func (l *Link) Send(b []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sent++
	_, err := l.w.Write(b)
	return err
}

// Close ends the link.
func (l *Link) Close() error {
	close(l.stop) // right: only Conn has a Link, nobody else can get one, and Conn asks its sync.Once
	return l.w.Close()
}

// Conn is what users get.
type Conn struct {
	link *Link
	once sync.Once
	err  error
}

// Dial makes a Conn.
func Dial(w io.WriteCloser) *Conn { return &Conn{link: newLink(w)} }

// Send writes one frame.
func (c *Conn) Send(b []byte) error { return c.link.Send(b) }

// Close may be called any number of times.
func (c *Conn) Close() error {
	c.once.Do(func() { c.err = c.link.Close() })
	return c.err
}
