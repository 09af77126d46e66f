package presence

import (
	"context"
	"errors"
)

var ErrStopped = errors.New("presence: stopped")

type op struct {
	user  string
	delta int
	reply chan int
}

type Server struct {
	ops   chan op
	done  chan struct{}
	users map[string]int
	peak  int
}

func Start(ctx context.Context) *Server {
	s := &Server{
		ops:   make(chan op),
		done:  make(chan struct{}),
		users: make(map[string]int),
	}
	go s.loop(ctx)
	return s
}

func (s *Server) loop(ctx context.Context) {
	defer close(s.done)
	for {
		select {
		case <-ctx.Done():
			return
		case o := <-s.ops:
			n := s.users[o.user]
			if n+o.delta > 0 {
				s.users[o.user] = n + o.delta
			} else {
				delete(s.users, o.user)
			}
			if len(s.users) > s.peak {
				s.peak = len(s.users)
			}
			o.reply <- len(s.users)
		}
	}
}

func (s *Server) do(user string, delta int) (int, error) {
	o := op{user, delta, make(chan int, 1)}
	select {
	case s.ops <- o:
		return <-o.reply, nil
	case <-s.done:
		return 0, ErrStopped
	}
}

func (s *Server) Join(user string) (int, error)  { return s.do(user, 1) }
func (s *Server) Leave(user string) (int, error) { return s.do(user, -1) }
