package swarmloop

import (
	"context"
	"errors"
)

var ErrMaxPeers = errors.New("swarm: too many peers")

type addReq struct {
	id    string
	reply chan error
}

type Swarm struct {
	max   int
	peers map[string]int
	adds  chan addReq
	drops chan string
}

func New(ctx context.Context, max int) *Swarm {
	s := &Swarm{
		max:   max,
		peers: make(map[string]int),
		adds:  make(chan addReq),
		drops: make(chan string),
	}
	go s.loop(ctx)
	return s
}

func (s *Swarm) loop(ctx context.Context) {
	for {
		select {
		case r := <-s.adds:
			r.reply <- s.handle(r.id)
		case id := <-s.drops:
			delete(s.peers, id)
		case <-ctx.Done():
			return
		}
	}
}

func (s *Swarm) handle(id string) error {
	if len(s.peers) >= s.max {
		return ErrMaxPeers
	}
	n, ok := s.peers[id]
	if !ok {
		n = 0
	}
	s.peers[id] = n + 1
	return nil
}

func (s *Swarm) Add(ctx context.Context, id string) error {
	r := addReq{id: id, reply: make(chan error, 1)}
	select {
	case s.adds <- r:
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case err := <-r.reply:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}
