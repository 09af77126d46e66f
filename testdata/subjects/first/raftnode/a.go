package raftnode

import (
	"context"
	"sync"
	"time"
)

type Role int

const (
	Follower Role = iota
	Candidate
	Leader
)

type Peer interface {
	RequestVote(ctx context.Context, term uint64, candidate string) (bool, error)
}

type Node struct {
	id    string
	peers []Peer

	mu   sync.Mutex
	role Role
	term uint64
}

func New(id string, peers []Peer) *Node {
	return &Node{id: id, peers: peers}
}

func (n *Node) campaign(ctx context.Context) bool {
	n.mu.Lock()
	n.term++
	n.role = Candidate
	term := n.term
	n.mu.Unlock()

	votes := 1
	for _, p := range n.peers {
		rctx, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
		ok, err := p.RequestVote(rctx, term, n.id)
		cancel()
		if err == nil && ok {
			votes++
		}
	}
	if votes <= (len(n.peers)+1)/2 {
		return false
	}

	n.mu.Lock()
	defer n.mu.Unlock()
	n.role = Leader
	return true
}

func (n *Node) HandleAppend(term uint64) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if term < n.term {
		return false
	}
	n.term, n.role = term, Follower
	return true
}

func (n *Node) Run(ctx context.Context, every time.Duration) {
	for ctx.Err() == nil {
		time.Sleep(every)
		n.campaign(ctx)
	}
}
