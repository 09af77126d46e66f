package election

import (
	"context"
	"sync/atomic"
	"time"
)

type role = int32

const (
	follower role = iota
	candidate
	leader
)

type Voter interface {
	RequestVote(ctx context.Context, term uint64) (granted bool, err error)
}

type Node struct {
	role  atomic.Int32
	term  atomic.Uint64
	peers []Voter
	timer *time.Timer
}

func NewNode(peers []Voter, timeout time.Duration) *Node {
	n := &Node{peers: peers}
	n.timer = time.AfterFunc(timeout, n.onTimeout)
	return n
}

func (n *Node) onTimeout() {
	switch n.role.Load() {
	case leader, candidate:
		return
	case follower:
		n.role.Store(candidate)
		go n.campaign(n.term.Add(1))
	}
}

// TransferTo is invoked by the RPC server when the old leader steps down.
func (n *Node) TransferTo() { n.onTimeout() }

func (n *Node) campaign(term uint64) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	votes := 1
	for _, p := range n.peers {
		if ok, err := p.RequestVote(ctx, term); err == nil && ok {
			votes++
		}
	}
	next := follower
	if votes > (len(n.peers)+1)/2 {
		next = leader
	}
	n.role.CompareAndSwap(candidate, next)
}

func (n *Node) IsLeader() bool { return n.role.Load() == leader }
