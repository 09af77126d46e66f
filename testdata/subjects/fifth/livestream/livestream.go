package livestream

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"
)

var (
	ErrClosed   = errors.New("livestream: closed")
	ErrTooLarge = errors.New("livestream: frame too large")
)

const maxFrame = 1 << 20

// Stream reads length-prefixed frames from a connection in its own goroutine.
type Stream struct {
	rwc    io.ReadWriteCloser
	frames chan []byte
	done   chan struct{}

	writeMu sync.Mutex

	stateMu sync.Mutex
	err     error
}

func Open(rwc io.ReadWriteCloser, buffer int) *Stream {
	s := &Stream{rwc: rwc, frames: make(chan []byte, buffer), done: make(chan struct{})}
	go s.readLoop()
	return s
}

func (s *Stream) readLoop() {
	for {
		f, err := s.readFrame()
		if err != nil {
			s.Close(err)
			return
		}
		select {
		case s.frames <- f:
		case <-s.done:
			return
		}
	}
}

func (s *Stream) readFrame() ([]byte, error) {
	var hdr [4]byte
	if _, err := io.ReadFull(s.rwc, hdr[:]); err != nil {
		return nil, fmt.Errorf("frame header: %w", err)
	}
	n := binary.BigEndian.Uint32(hdr[:])
	if n > maxFrame {
		return nil, ErrTooLarge
	}
	buf := make([]byte, n)
	if _, err := io.ReadFull(s.rwc, buf); err != nil {
		return nil, fmt.Errorf("frame body: %w", err)
	}
	return buf, nil
}

func (s *Stream) failure() error {
	s.stateMu.Lock()
	defer s.stateMu.Unlock()
	return s.err
}

func (s *Stream) setFailure(err error) {
	s.stateMu.Lock()
	s.err = err
	s.stateMu.Unlock()
}

// Next returns the next frame, or why there is none.
func (s *Stream) Next() ([]byte, error) {
	select {
	case f := <-s.frames:
		return f, nil
	case <-s.done:
		return nil, s.failure()
	}
}

// Send writes one frame.
func (s *Stream) Send(p []byte) error {
	if len(p) > maxFrame {
		return ErrTooLarge
	}
	msg := binary.BigEndian.AppendUint32(make([]byte, 0, 4+len(p)), uint32(len(p)))
	s.writeMu.Lock()
	defer s.writeMu.Unlock()
	_, err := s.rwc.Write(append(msg, p...))
	return err
}

// Close ends the stream; the first cause is what Next reports.
func (s *Stream) Close(cause error) error {
	if s.failure() != nil {
		return ErrClosed
	}
	if cause == nil {
		cause = ErrClosed
	}
	s.setFailure(cause)
	close(s.done)
	return s.rwc.Close()
}
