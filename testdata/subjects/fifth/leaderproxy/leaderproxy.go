package leaderproxy

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"
)

type Role int32

const (
	Follower Role = iota
	Candidate
	Leader
)

type Voter interface {
	RequestVote(ctx context.Context, candidate string, term uint64) (bool, error)
}

// Node proxies writes to the leader, or serves them when it leads.
type Node struct {
	id     string
	voters []Voter
	log    *slog.Logger

	role atomic.Int32
	term atomic.Uint64
	kick chan struct{}
}

func NewNode(ctx context.Context, id string, voters []Voter, log *slog.Logger) *Node {
	n := &Node{id: id, voters: voters, log: log, kick: make(chan struct{}, 1)}
	go n.run(ctx)
	return n
}

func (n *Node) Role() Role { return Role(n.role.Load()) }

func (n *Node) become(r Role) {
	n.role.Store(int32(r))
	n.log.Info("role changed", "node", n.id, "role", int32(r))
}

// Heard is called for every message of a leader.
func (n *Node) Heard() {
	select {
	case n.kick <- struct{}{}:
	default:
	}
}

// StepDown is called by the RPC server when a newer leader announces itself.
func (n *Node) StepDown() {
	n.become(Follower)
	n.Heard()
}

func (n *Node) run(ctx context.Context) {
	for ctx.Err() == nil {
		wait := time.Duration(150+rand.IntN(150)) * time.Millisecond
		select {
		case <-ctx.Done():
		case <-n.kick:
		case <-time.After(wait):
			if n.role.CompareAndSwap(int32(Follower), int32(Candidate)) {
				n.campaign(ctx, n.term.Add(1))
			}
		}
	}
}

func (n *Node) collect(ctx context.Context, term uint64) int {
	ctx, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
	defer cancel()
	var granted atomic.Int32
	var wg sync.WaitGroup
	for _, v := range n.voters {
		wg.Go(func() {
			if ok, err := v.RequestVote(ctx, n.id, term); err == nil && ok {
				granted.Add(1)
			}
		})
	}
	wg.Wait()
	return int(granted.Load())
}

func (n *Node) campaign(ctx context.Context, term uint64) {
	votes := n.collect(ctx, term) + 1
	if votes <= (len(n.voters)+1)/2 {
		n.role.CompareAndSwap(int32(Candidate), int32(Follower))
		return
	}
	if n.Role() != Candidate {
		n.log.Info("stepped down during the vote", "node", n.id, "term", term)
		return
	}
	n.become(Leader)
}
