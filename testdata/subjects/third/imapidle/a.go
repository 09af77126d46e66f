package imapidle

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
)

type Session struct {
	conn net.Conn
	done chan struct{}

	mu    sync.Mutex
	dead  bool
	err   error
	lines []string

	wmu sync.Mutex
	seq int
}

func NewSession(c net.Conn) *Session {
	s := &Session{conn: c, done: make(chan struct{})}
	go s.readLoop()
	return s
}

func (s *Session) readLoop() {
	sc := bufio.NewScanner(s.conn)
	for sc.Scan() {
		s.mu.Lock()
		s.lines = append(s.lines, strings.TrimSpace(sc.Text()))
		s.mu.Unlock()
	}
	err := sc.Err()
	if err == nil {
		err = io.EOF
	}
	s.fail(err)
}

func (s *Session) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dead {
		return
	}
	s.dead, s.err = true, err
	close(s.done)
}

func (s *Session) Command(verb string) error {
	s.wmu.Lock()
	defer s.wmu.Unlock()
	s.seq++
	_, err := fmt.Fprintf(s.conn, "a%03d %s\r\n", s.seq, verb)
	return err
}

func (s *Session) Close() error {
	s.wmu.Lock()
	defer s.wmu.Unlock()
	if !s.dead {
		s.dead = true
		close(s.done)
	}
	return s.conn.Close()
}

func (s *Session) Done() <-chan struct{} { return s.done }
