package memberlist

import (
	"encoding/json"
	"net"
	"sync"
)

type aliveMsg struct {
	Name        string
	Incarnation uint32
}

type Node struct {
	Name string

	mu          sync.Mutex
	incarnation uint32
	suspects    map[string]uint32

	conn *net.UDPConn
}

func NewNode(name string, conn *net.UDPConn) *Node {
	return &Node{Name: name, conn: conn, suspects: make(map[string]uint32)}
}

func (n *Node) HandleSuspect(name string, inc uint32) error {
	if name == n.Name {
		return n.refute(inc)
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.suspects[name] < inc {
		n.suspects[name] = inc
	}
	return nil
}

func (n *Node) refute(accused uint32) error {
	n.mu.Lock()
	next := n.incarnation + 1
	n.mu.Unlock()
	if accused >= next {
		next = accused + 1
	}
	buf, err := json.Marshal(aliveMsg{n.Name, next})
	if err != nil {
		return err
	}
	if _, err := n.conn.Write(buf); err != nil {
		return err
	}
	n.mu.Lock()
	n.incarnation = next
	n.mu.Unlock()
	return nil
}
