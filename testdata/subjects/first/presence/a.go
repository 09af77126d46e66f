package presence

import (
	"context"
	"errors"
)

var ErrStopped = errors.New("presence: stopped")

type Service struct {
	ops    chan func()
	quit   chan struct{}
	online map[string]int
	rev    uint64
}

func NewService(ctx context.Context) *Service {
	s := &Service{
		ops:    make(chan func()),
		quit:   make(chan struct{}),
		online: make(map[string]int),
	}
	go s.run(ctx)
	return s
}

func (s *Service) run(ctx context.Context) {
	defer close(s.quit)
	for {
		select {
		case op := <-s.ops:
			op()
		case <-ctx.Done():
			return
		}
	}
}

func (s *Service) do(op func()) error {
	done := make(chan struct{})
	select {
	case s.ops <- func() { op(); close(done) }:
		<-done
		return nil
	case <-s.quit:
		return ErrStopped
	}
}

func (s *Service) Connect(user string) (first bool, err error) {
	err = s.do(func() {
		if s.online[user] == 0 {
			first = true
			s.rev++
		}
		s.online[user]++
	})
	return first, err
}

func (s *Service) Count() (n int, rev uint64, err error) {
	err = s.do(func() { n, rev = len(s.online), s.rev })
	return n, rev, err
}
