// Package retire has a node whose loop makes all transitions.
package retire

import (
	"sync"
	"sync/atomic"
)

const (
	follower int32 = iota
	candidate
	leader
	retired
)

// Node has one loop.
type Node struct {
	role  atomic.Int32
	votes chan bool
	quit  chan struct{}
	loop  sync.WaitGroup
}

// New starts one.
func New() *Node {
	n := &Node{votes: make(chan bool), quit: make(chan struct{})}
	n.loop.Add(1)
	go n.run()
	return n
}

func (n *Node) run() {
	defer n.loop.Done()
	for {
		select {
		case <-n.quit:
			return
		case ok := <-n.votes:
			n.count(ok)
		}
	}
}

// count. Right: only the loop stores roles, until it is over; then Retire stores the last.
func (n *Node) count(ok bool) {
	if n.role.Load() == follower {
		n.role.Store(candidate)
		return
	}
	if ok && n.role.Load() == candidate {
		n.role.Store(leader)
	}
}

// Retire ends the loop, waits for it, and tells that it is over.
func (n *Node) Retire() {
	close(n.quit)
	n.loop.Wait()
	n.role.Store(retired)
}

// Vote gives a vote.
func (n *Node) Vote(ok bool) {
	select {
	case n.votes <- ok:
	case <-n.quit:
	}
}

// Leads says whether it leads.
func (n *Node) Leads() bool { return n.role.Load() == leader }
