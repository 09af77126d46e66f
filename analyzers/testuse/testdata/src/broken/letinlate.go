package broken

import (
	"errors"
	"sync/atomic"
	"time"
)

var errLetIn = errors.New("closing")

// A LetInServer counts the calls in progress.
type LetInServer struct {
	closing atomic.Bool
	calls   atomic.Int64
	state   int32
	flying  int64
	conn    chan string
}

func (s *LetInServer) Call(msg string) error {
	if s.closing.Load() { // want `between this look at s.closing and the Add, another goroutine can end it and wait for s.calls, which has not counted this one: what it ends is then still used`
		return errLetIn
	}
	s.calls.Add(1)
	defer s.calls.Add(-1)
	s.conn <- msg
	return nil
}

func (s *LetInServer) Close() {
	s.closing.Store(true)
	for s.calls.Load() > 0 {
		time.Sleep(time.Millisecond)
	}
}

func (s *LetInServer) closed() bool { return atomic.LoadInt32(&s.state) == 1 }

func (s *LetInServer) Fly(msg string) error {
	if s.closed() { // want `between this look at s.state \(in s.closed\) and the Add, another goroutine can end it and wait for s.flying`
		return errLetIn
	}
	atomic.AddInt64(&s.flying, 1)
	defer func() { atomic.AddInt64(&s.flying, -1) }()
	s.conn <- msg
	return nil
}

func (s *LetInServer) Shutdown() error {
	atomic.StoreInt32(&s.state, 1)
	if atomic.LoadInt64(&s.flying) > 0 {
		return errLetIn
	}
	return nil
}
