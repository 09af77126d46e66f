// Package peerset replicates entries to a changing set of peers.
package peerset

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"
)

var ErrNoQuorum = errors.New("peerset: no quorum")

type Entry struct {
	Index uint64
	Data  []byte
}

type Transport interface {
	Send(ctx context.Context, addr string, e Entry) error
}

// Peer is a member of the set. It is a plain value.
type Peer struct {
	ID     string
	Addr   string
	Weight int
}

type Set struct {
	tr      Transport
	timeout time.Duration
	log     *slog.Logger

	memberLock sync.RWMutex
	peers      []Peer
	errors     map[string]int
}

func New(tr Transport, timeout time.Duration, log *slog.Logger) *Set {
	return &Set{tr: tr, timeout: timeout, log: log, errors: make(map[string]int)}
}

// Join adds a peer or changes the address and weight of one.
func (s *Set) Join(p Peer) {
	s.memberLock.Lock()
	defer s.memberLock.Unlock()
	for i := range s.peers {
		if s.peers[i].ID == p.ID {
			s.peers[i] = p
			return
		}
	}
	s.peers = append(s.peers, p)
}

func (s *Set) Leave(id string) bool {
	s.memberLock.Lock()
	defer s.memberLock.Unlock()
	for i, p := range s.peers {
		if p.ID == id {
			s.peers = append(s.peers[:i], s.peers[i+1:]...)
			delete(s.errors, id)
			return true
		}
	}
	return false
}

func (s *Set) failed(id string, err error) {
	s.memberLock.Lock()
	defer s.memberLock.Unlock()
	if !slices.ContainsFunc(s.peers, func(p Peer) bool { return p.ID == id }) {
		return
	}
	s.errors[id]++
	if n := s.errors[id]; n&(n-1) == 0 {
		s.log.Warn("peer fails", "peer", id, "times", n, "err", err)
	}
}

// Replicate sends the entry to all peers of this moment and waits until peers
// with more than half of the weight have it.
func (s *Set) Replicate(ctx context.Context, e Entry) error {
	s.memberLock.RLock()
	peers := make([]Peer, len(s.peers))
	copy(peers, s.peers)
	s.memberLock.RUnlock()

	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.timeout)
	var sends sync.WaitGroup
	sends.Add(len(peers))
	go func() { sends.Wait(); cancel() }()
	acks := make(chan int, len(peers))
	total := 0
	for _, p := range peers {
		total += p.Weight
		go func() {
			defer sends.Done()
			if err := s.tr.Send(ctx, p.Addr, e); err != nil {
				if ctx.Err() == nil {
					s.failed(p.ID, err)
				}
				acks <- 0
				return
			}
			acks <- p.Weight
		}()
	}
	got := 0
	for range peers {
		got += <-acks
		if 2*got > total {
			return nil
		}
	}
	return fmt.Errorf("%w: entry %d has %d of %d", ErrNoQuorum, e.Index, got, total)
}

// Failures returns how often sending to a peer has failed.
func (s *Set) Failures(id string) int {
	s.memberLock.RLock()
	defer s.memberLock.RUnlock()
	return s.errors[id]
}
