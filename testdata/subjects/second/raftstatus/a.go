package raftstatus

import (
	"sync"
)

type Ballot struct {
	Term   uint64
	Leader string
	Voter  string
}

type Network interface {
	Broadcast(Ballot)
}

type raftState struct {
	mu     sync.Mutex
	term   uint64
	leader string
}

func (s *raftState) Term() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.term
}

func (s *raftState) Leader() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.leader
}

func (s *raftState) advance(term uint64, leader string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if term <= s.term {
		return false
	}
	s.term, s.leader = term, leader
	return true
}

type Node struct {
	name string
	st   raftState
	net  Network
}

func NewNode(name string, n Network) *Node { return &Node{name: name, net: n} }

func (n *Node) StepDown(term uint64, leader string) bool {
	return n.st.advance(term, leader)
}

func (n *Node) Vote() {
	b := Ballot{
		Voter:  n.name,
		Term:   n.st.Term(),
		Leader: n.st.Leader(),
	}
	n.net.Broadcast(b)
}
