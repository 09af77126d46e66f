// Package lisession counts the streams of a session; the goroutine that reads the session makes them.
package lisession

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"sync/atomic"
)

// A Session has a goroutine that reads it.
type Session struct {
	in      *bufio.Scanner
	most    int64
	streams atomic.Int64
	handle  func(string)
	err     error
	done    chan struct{}
}

var errMany = errors.New("lisession: too many streams")

// Start starts a session.
func Start(r io.Reader, most int64, handle func(string)) *Session {
	s := &Session{in: bufio.NewScanner(r), most: most, handle: handle, done: make(chan struct{})}
	go s.read()
	return s
}

func (s *Session) read() {
	defer close(s.done)
	for s.in.Scan() {
		if err := s.open(s.in.Text()); err != nil {
			s.err = err
			return
		}
	}
	s.err = s.in.Err()
}

// open is called by the reader alone.
func (s *Session) open(line string) error {
	if s.streams.Load() >= s.most {
		return errMany
	}
	name, ok := strings.CutPrefix(line, "open ")
	if !ok {
		return nil
	}
	s.streams.Add(1)
	go func() {
		defer s.streams.Add(-1)
		s.handle(name)
	}()
	return nil
}

// Streams is how many are open.
func (s *Session) Streams() int64 { return s.streams.Load() }

// Err waits for the end of the session.
func (s *Session) Err() error {
	<-s.done
	return s.err
}
