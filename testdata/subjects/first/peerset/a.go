package peerset

import (
	"io"
	"net"
	"sync"
)

type Peer struct {
	ID   string
	conn net.Conn
}

type Set struct {
	mu    sync.Mutex
	peers map[string]*Peer
}

func NewSet() *Set { return &Set{peers: make(map[string]*Peer)} }

func (s *Set) Add(id string, conn net.Conn) *Peer {
	p := &Peer{ID: id, conn: conn}
	s.mu.Lock()
	old := s.peers[id]
	s.peers[id] = p
	s.mu.Unlock()
	if old != nil {
		old.conn.Close()
	}
	go s.watch(p)
	return p
}

func (s *Set) watch(p *Peer) {
	io.Copy(io.Discard, p.conn)
	p.conn.Close()
	s.drop(p)
}

func (s *Set) drop(p *Peer) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.peers[p.ID] != p {
		return false
	}
	delete(s.peers, p.ID)
	return true
}

func (s *Set) Broadcast(msg []byte) (sent int) {
	s.mu.Lock()
	targets := make([]*Peer, 0, len(s.peers))
	for _, p := range s.peers {
		targets = append(targets, p)
	}
	s.mu.Unlock()
	for _, p := range targets {
		if _, err := p.conn.Write(msg); err == nil {
			sent++
		}
	}
	return sent
}
