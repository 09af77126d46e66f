// Package loopreg keeps the rooms of a presence server. All state belongs to
// one goroutine.
package loopreg

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"
)

var (
	ErrStopped = errors.New("loopreg: server stopped")
	ErrFull    = errors.New("loopreg: room full")
)

type member struct {
	name  string
	since time.Time
	out   chan<- string
}

type room struct {
	members map[string]member
	seats   int
	created time.Time
}

type Server struct {
	ops   chan func()
	ctx   context.Context
	log   *slog.Logger
	seats int

	rooms map[string]*room
	total int
}

func New(ctx context.Context, seats int, log *slog.Logger) *Server {
	s := &Server{
		ops:   make(chan func()),
		ctx:   ctx,
		log:   log,
		seats: seats,
		rooms: make(map[string]*room),
	}
	go s.loop()
	return s
}

func (s *Server) loop() {
	gc := time.NewTicker(time.Minute)
	defer gc.Stop()
	for {
		select {
		case <-s.ctx.Done():
			return
		case op := <-s.ops:
			op()
		case now := <-gc.C:
			for name, r := range s.rooms {
				if len(r.members) == 0 && now.Sub(r.created) > time.Minute {
					delete(s.rooms, name)
				}
			}
		}
	}
}

// do runs op on the loop and waits for it.
func (s *Server) do(op func()) error {
	done := make(chan struct{})
	select {
	case s.ops <- func() { op(); close(done) }:
		<-done
		return nil
	case <-s.ctx.Done():
		return ErrStopped
	}
}

func (s *Server) join(roomName string, m member) error {
	r, ok := s.rooms[roomName]
	if !ok {
		r = &room{members: make(map[string]member), seats: s.seats, created: time.Now()}
		s.rooms[roomName] = r
	}
	if old, again := r.members[m.name]; again {
		if old.out != m.out {
			close(old.out)
		}
		s.total--
	} else if len(r.members) >= r.seats {
		return fmt.Errorf("%s: %w", roomName, ErrFull)
	}
	r.members[m.name] = m
	s.total++
	return nil
}

// Join seats a member; its channel is closed when it leaves or is replaced.
func (s *Server) Join(roomName, name string, out chan<- string) error {
	var err error
	if serr := s.do(func() {
		err = s.join(roomName, member{name: name, since: time.Now(), out: out})
		s.log.Debug("join", "room", roomName, "name", name, "total", s.total, "err", err)
	}); serr != nil {
		return serr
	}
	return err
}

func (s *Server) Leave(roomName, name string) error {
	return s.do(func() {
		r, ok := s.rooms[roomName]
		if !ok {
			return
		}
		if m, ok := r.members[name]; ok {
			delete(r.members, name)
			close(m.out)
			s.total--
		}
	})
}

// Say sends text to everyone in the room who keeps up.
func (s *Server) Say(roomName, text string) (heard int, err error) {
	err = s.do(func() {
		r := s.rooms[roomName]
		if r == nil {
			return
		}
		for _, m := range r.members {
			select {
			case m.out <- text:
				heard++
			default:
				s.log.Info("member lags", "room", roomName, "name", m.name)
			}
		}
	})
	return heard, err
}
