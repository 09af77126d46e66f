// Package cwcore has two kinds of feeds with one core.
package cwcore

import (
	"bufio"
	"io"
)

type core struct {
	lines chan string
	done  chan struct{}
}

func (c *core) pump(r io.Reader) {
	s := bufio.NewScanner(r)
	for s.Scan() {
		select {
		case c.lines <- s.Text():
		case <-c.done:
			return
		}
	}
	c.release()
}

func (c *core) release() { close(c.done) }

// A Reader reads by itself, and ends with what it reads. There is no way to stop it.
type Reader struct{ c core }

// NewReader starts a reader.
func NewReader(r io.Reader) *Reader {
	f := &Reader{core{make(chan string), make(chan struct{})}}
	go f.c.pump(r)
	return f
}

// Lines are the lines, and Done is closed at the end.
func (f *Reader) Lines() <-chan string { return f.c.lines }

// Done is closed at the end.
func (f *Reader) Done() <-chan struct{} { return f.c.done }

// A Manual feed is fed by its owner, who stops it once.
type Manual struct{ c core }

// NewManual makes one, without a goroutine.
func NewManual() *Manual { return &Manual{core{make(chan string), make(chan struct{})}} }

// Feed gives it a line.
func (m *Manual) Feed(s string) { m.c.lines <- s }

// Lines are the lines.
func (m *Manual) Lines() <-chan string { return m.c.lines }

// Stop ends it.
func (m *Manual) Stop() { m.c.release() }
