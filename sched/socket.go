package sched

import (
	"errors"
	"io"
	"os"
	"sync"
	"syscall"
	"time"
	"unsafe"
)

// Connections within the process, for package net of a controlled build: what goes over
// the loopback interface is kept in memory, under locks that the scheduler sees, so that
// nothing waits for the kernel and all of it follows from the seed. Goroutines that are not
// under control may use them as well.

// ErrClosed is what a Socket or Backlog says that was closed by its own side.
var ErrClosed = errors.New("use of closed network connection")

// room is how many bytes may be on their way in one direction: what Linux has on the
// loopback interface before a write waits, when nobody reads.
const room = 4 << 20

// A Socket is one end of a connection, with what TCP promises: a stream of bytes each
// way, of which either can be ended alone. Its methods may be called by several
// goroutines at a time.
type Socket struct {
	in, out *stream
}

// Connect returns the two ends of a new connection.
func Connect() (a, b *Socket) {
	x, y := newStream(), newStream()
	return &Socket{in: x, out: y}, &Socket{in: y, out: x}
}

// A stream is one direction of a connection.
type stream struct {
	mu   sync.Mutex
	cond sync.Cond // of everything here

	data    []byte
	writing bool  // somebody has written part of its bytes: others wait
	ended   bool  // the writer will write no more
	shut    bool  // the reader does not wait any more
	deaf    bool  // the reader is closed: what is written is lost
	lost    bool  // and something has been
	failure error // for the reader in the place of the end, once

	readerClosed, writerClosed bool
	readBy, writeBy            time.Time // deadlines; zero: none
}

func newStream() *stream {
	s := new(stream)
	s.cond.L = &s.mu
	return s
}

// Read takes what is there, and waits while there is nothing.
func (k *Socket) Read(p []byte) (int, error) {
	s := k.in
	acquire(&s.mu)
	defer giveBack(&s.mu)
	for {
		switch {
		case s.readerClosed:
			return 0, ErrClosed
		case isPast(s.readBy):
			return 0, os.ErrDeadlineExceeded
		case len(p) == 0:
			return 0, nil
		case len(s.data) > 0:
			heard(unsafe.Pointer(&s.data))
			return s.take(p), nil
		case s.failure != nil:
			err := s.failure
			s.failure = nil
			return 0, err
		case s.ended || s.shut:
			heard(unsafe.Pointer(&s.data))
			return 0, io.EOF
		}
		awaitUntil(&s.cond, s.readBy)
	}
}

// take moves bytes to p, and tells writers that wait for room.
func (s *stream) take(p []byte) int {
	if len(s.data) >= room {
		broadcast(&s.cond)
	}
	n := copy(p, s.data)
	if n == len(s.data) {
		s.data = s.data[:0]
	} else {
		s.data = s.data[n:]
	}
	return n
}

// Write leaves all of p for the other end, and waits while there is no room. The first
// that comes after the other end was closed is lost without an error, as with TCP.
func (k *Socket) Write(p []byte) (n int, err error) {
	s := k.out
	acquire(&s.mu)
	defer giveBack(&s.mu)
	told(unsafe.Pointer(&s.data))
	mine := false
	defer func() {
		if mine {
			s.writing = false
			broadcast(&s.cond)
		}
	}()
	for {
		switch {
		case s.writerClosed:
			return n, ErrClosed
		case isPast(s.writeBy):
			return n, os.ErrDeadlineExceeded
		case s.writing && !mine: // wait
		case s.ended || s.lost:
			return n, os.NewSyscallError("write", syscall.EPIPE)
		case s.deaf:
			s.lost = len(p) > 0
			return n + len(p), nil
		case len(p) <= room-len(s.data):
			if len(s.data) == 0 && len(p) > 0 {
				broadcast(&s.cond)
			}
			s.data = append(s.data, p...)
			return n + len(p), nil
		case len(s.data) < room:
			part := room - len(s.data)
			s.data = append(s.data, p[:part]...)
			n, p = n+part, p[part:]
			s.writing, mine = true, true
			broadcast(&s.cond)
		}
		awaitUntil(&s.cond, s.writeBy)
	}
}

// Close ends both directions. The other end sees the end of the stream, or that the
// connection was reset if something was left unread here or abort is set.
func (k *Socket) Close(abort bool) error {
	s := k.in
	acquire(&s.mu)
	if s.readerClosed {
		giveBack(&s.mu)
		return ErrClosed
	}
	reset := abort || len(s.data) > 0
	s.readerClosed, s.deaf, s.data = true, true, nil
	s.lost = s.lost || reset
	broadcast(&s.cond)
	giveBack(&s.mu)

	s = k.out
	acquire(&s.mu)
	defer giveBack(&s.mu)
	told(unsafe.Pointer(&s.data))
	s.writerClosed = true
	if reset && !s.ended {
		s.failure = os.NewSyscallError("read", syscall.ECONNRESET)
	}
	s.ended = true
	broadcast(&s.cond)
	return nil
}

// CloseWrite ends what the other end reads.
func (k *Socket) CloseWrite() error {
	return k.out.change(&k.out.writerClosed, func(s *stream) { s.ended = true })
}

// CloseRead ends what this end reads, after what is there already.
func (k *Socket) CloseRead() error {
	return k.in.change(&k.in.readerClosed, func(s *stream) { s.shut = true })
}

// SetReadDeadline is that of net.Conn.
func (k *Socket) SetReadDeadline(t time.Time) error {
	return k.in.change(&k.in.readerClosed, func(s *stream) { s.readBy = t })
}

// SetWriteDeadline is that of net.Conn.
func (k *Socket) SetWriteDeadline(t time.Time) error {
	return k.out.change(&k.out.writerClosed, func(s *stream) { s.writeBy = t })
}

// change makes a change that those who wait have to know of, unless the side is closed.
func (s *stream) change(isClosed *bool, f func(*stream)) error {
	acquire(&s.mu)
	defer giveBack(&s.mu)
	if *isClosed {
		return ErrClosed
	}
	told(unsafe.Pointer(&s.data))
	f(s)
	broadcast(&s.cond)
	return nil
}
