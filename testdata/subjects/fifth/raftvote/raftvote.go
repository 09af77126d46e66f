// Package raftvote elects a leader among a fixed set of peers.
package raftvote

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"
)

type Role int

const (
	Follower Role = iota
	Candidate
	Leader
)

type VoteRequest struct {
	Term      uint64
	Candidate string
}

type VoteReply struct {
	Term    uint64
	Granted bool
}

type Peer interface {
	RequestVote(ctx context.Context, req VoteRequest) (VoteReply, error)
}

type Elector struct {
	self  string
	peers []Peer
	log   *slog.Logger
	beat  chan struct{}

	mx       sync.Mutex
	term     uint64
	votedFor string
	role     Role
}

func NewElector(self string, peers []Peer, log *slog.Logger) *Elector {
	return &Elector{self: self, peers: peers, log: log, beat: make(chan struct{}, 1)}
}

func (e *Elector) Status() (Role, uint64) {
	e.mx.Lock()
	defer e.mx.Unlock()
	return e.role, e.term
}

// Run campaigns whenever no heartbeat comes in time.
func (e *Elector) Run(ctx context.Context) {
	for {
		wait := 150*time.Millisecond + rand.N(150*time.Millisecond)
		select {
		case <-ctx.Done():
			return
		case <-e.beat:
			continue
		case <-time.After(wait):
		}
		if role, _ := e.Status(); role != Leader {
			e.campaign(ctx, wait)
		}
	}
}

func (e *Elector) campaign(ctx context.Context, limit time.Duration) {
	e.mx.Lock()
	e.term++
	e.votedFor = e.self
	e.role = Candidate
	req := VoteRequest{Term: e.term, Candidate: e.self}
	e.mx.Unlock()

	cctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	replies := make(chan VoteReply, len(e.peers))
	for _, p := range e.peers {
		go func() {
			r, err := p.RequestVote(cctx, req)
			if err != nil {
				r = VoteReply{}
			}
			replies <- r
		}()
	}

	votes := 1
	for range e.peers {
		r := <-replies
		if r.Term > req.Term {
			e.observe(r.Term)
			return
		}
		if r.Granted {
			votes++
		}
	}
	if votes <= (len(e.peers)+1)/2 {
		return
	}

	e.mx.Lock()
	e.role = Leader
	e.mx.Unlock()
	e.log.Info("elected", "term", req.Term, "votes", votes)
}

// observe steps down when a later term is seen.
func (e *Elector) observe(term uint64) {
	e.mx.Lock()
	defer e.mx.Unlock()
	if term > e.term {
		e.term, e.votedFor, e.role = term, "", Follower
	}
}

// HandleVote answers a peer's request.
func (e *Elector) HandleVote(req VoteRequest) VoteReply {
	e.observe(req.Term)
	e.mx.Lock()
	defer e.mx.Unlock()
	ok := req.Term == e.term && (e.votedFor == "" || e.votedFor == req.Candidate)
	if ok {
		e.votedFor = req.Candidate
	}
	return VoteReply{Term: e.term, Granted: ok}
}

// HandleHeartbeat is called for each message of a leader.
func (e *Elector) HandleHeartbeat(term uint64) {
	e.observe(term)
	select {
	case e.beat <- struct{}{}:
	default:
	}
}
