package gossipident

import (
	"fmt"
	"math/rand/v2"
	"sync"
)

type Sender interface {
	Send(to string, msg []byte) error
}

type Node struct {
	id     string
	addr   string
	fanout int
	send   Sender

	mu      sync.Mutex
	members []string
}

func NewNode(id, addr string, fanout int, s Sender) *Node {
	if fanout <= 0 {
		fanout = 3
	}
	return &Node{id: id, addr: addr, fanout: fanout, send: s}
}

func (n *Node) Learn(addr string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, m := range n.members {
		if m == addr {
			return
		}
	}
	n.members = append(n.members, addr)
}

func (n *Node) Announce() error {
	if n.addr == "" || n.fanout == 0 {
		return fmt.Errorf("gossip: node %s has no address", n.id)
	}
	n.mu.Lock()
	k := min(n.fanout, len(n.members))
	targets := make([]string, 0, k)
	for _, i := range rand.Perm(len(n.members))[:k] {
		targets = append(targets, n.members[i])
	}
	n.mu.Unlock()

	msg := []byte(n.id + "@" + n.addr)
	for _, t := range targets {
		if err := n.send.Send(t, msg); err != nil {
			return err
		}
	}
	return nil
}
