package fine

import (
	"errors"
	"sync/atomic"
	"time"
)

var errLetIn = errors.New("closing")

// A LetInServer counts the calls in progress, and looks then.
type LetInServer struct {
	closing atomic.Bool
	calls   atomic.Int64
	asked   atomic.Int64
	conn    chan string
}

func (s *LetInServer) Call(msg string) error {
	s.calls.Add(1)
	defer s.calls.Add(-1)
	if s.closing.Load() {
		return errLetIn
	}
	s.conn <- msg
	return nil
}

// Again looks before it counts, to spare the count, and after.
func (s *LetInServer) Again(msg string) error {
	if s.closing.Load() {
		return errLetIn
	}
	s.calls.Add(1)
	defer s.calls.Add(-1)
	if s.closing.Load() {
		return errLetIn
	}
	s.conn <- msg
	return nil
}

// Ask counts what nobody waits for.
func (s *LetInServer) Ask(msg string) error {
	if s.closing.Load() {
		return errLetIn
	}
	s.asked.Add(1)
	defer s.asked.Add(-1)
	s.conn <- msg
	return nil
}

func (s *LetInServer) Close() {
	s.closing.Store(true)
	for s.calls.Load() > 0 {
		time.Sleep(time.Millisecond)
	}
}

func (s *LetInServer) Asked() int64 { return s.asked.Load() }
